// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The public types of the libraries are those of {@code docs/api.txt}, so that a review sees when one is added or goes. */
@AnalyzeClasses(packages = "io.github.rdma4j", importOptions = ArchitectureTest.Production.class)
class ApiListTest {
    private static final Path LIST = Path.of("..", "..", "docs", "api.txt");

    /** Set to write the list instead of comparing it, as with the other generated documents. */
    private static final String WRITE = "rdma4j.write.docs";

    private static final List<String> LIBRARIES =
            List.of("kernel", "verbs", "netty", "cm", "rsocket", "nio", "umad", "sm", "testkit");

    /** The wings of the testbed are internal, and so is its program. */
    private static final List<String> OF_THE_TESTBED = List.of(
            "io.github.rdma4j.testbed", "io.github.rdma4j.testbed.containers", "io.github.rdma4j.testbed.junit");

    private static final Set<String> PLUMBING = Set.of("TestbedMain");

    @ArchTest
    static void theListIsComplete(JavaClasses classes) throws IOException {
        List<String> types = classes.stream()
                .filter(ApiListTest::isOfTheApi)
                .map(JavaClass::getName)
                .sorted()
                .toList();
        if (Boolean.getBoolean(WRITE)) {
            Files.write(LIST, types);
        }
        assertThat(types)
                .as(
                        "the public types. To write the list anew: mvn -pl tests/house -am test -Dtest=%s"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -D%s=true",
                        ApiListTest.class.getSimpleName(), WRITE)
                .isEqualTo(Files.readAllLines(LIST));
    }

    private static boolean isOfTheApi(JavaClass type) {
        String[] names = type.getPackageName().split("\\.", -1);
        boolean ofTheTestbed =
                OF_THE_TESTBED.contains(type.getPackageName()) && !PLUMBING.contains(type.getSimpleName());
        return (ofTheTestbed || (names.length > 3 && LIBRARIES.contains(names[3])))
                && type.getModifiers().contains(JavaModifier.PUBLIC)
                && !type.isNestedClass();
    }
}
