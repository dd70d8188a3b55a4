// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which classes of a package know each other in a circle, so that none of them can be understood alone. A nested class
 * counts as its outermost class. {@code circles.txt} lists every circle of every package of all modules by the names of
 * its classes, and may only get shorter.
 */
@AnalyzeClasses(packages = "io.github.rdma4j", importOptions = ClassCirclesTest.AllModules.class)
class ClassCirclesTest {
    private static final Path LIST = Path.of("src/test/java/io/github/rdma4j/architecture/circles.txt");
    private static final String ROOT = "io.github.rdma4j.";

    /** No tests, and not what jcstress generates. */
    static final class AllModules implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/")
                    && !location.contains("-tests.jar")
                    && !location.contains("_jcstress");
        }
    }

    @ArchTest
    static void noCircleGrows(JavaClasses classes) throws IOException {
        List<String> listed = Files.readAllLines(LIST).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();

        assertThat(lines(Circles.inPackages(
                        classes, type -> type.getPackageName().startsWith(ROOT), ClassCirclesTest::outermost)))
                .as(
                        "the circles: a class that has joined a circle must leave it, so hand it what it needs; when a circle has"
                                + " lost a class, shorten the list")
                .containsExactlyElementsOf(listed);
    }

    /** A line a circle: the package, a colon, and the classes. */
    private static List<String> lines(Set<Set<String>> circles) {
        Set<String> lines = new TreeSet<>();
        for (Set<String> circle : circles) {
            String first = circle.iterator().next();
            String within = first.substring(0, first.lastIndexOf('.') + 1);
            List<String> names =
                    circle.stream().map(name -> name.substring(within.length())).toList();
            lines.add(within.substring(ROOT.length(), within.length() - 1) + ": " + String.join(" ", names));
        }
        return List.copyOf(lines);
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(ClassCirclesTest::outermost).orElseGet(type::getName);
    }
}
