// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The public types of the libraries are those of {@code docs/api.txt}, so that a review sees when one is added or goes. */
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

    @Test
    void theListIsComplete() throws Exception {
        List<String> types = new ClassFileImporter()
                .withImportOption(new ArchitectureTest.Production()).importPackages("io.github.rdma4j").stream()
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
                        getClass().getSimpleName(), WRITE)
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
