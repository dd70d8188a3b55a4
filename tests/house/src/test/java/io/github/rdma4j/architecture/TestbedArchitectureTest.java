// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the testbed may use. */
@AnalyzeClasses(packages = "io.github.rdma4j.testbed", importOptions = ArchitectureTest.Production.class)
class TestbedArchitectureTest {
    private static final String TESTBED = "io.github.rdma4j.testbed..";

    /** The packages for users of test frameworks. */
    private static final String[] FRAMEWORKS = {
        "io.github.rdma4j.testbed.junit..", "io.github.rdma4j.testbed.containers.."
    };

    private static final DescribedPredicate<JavaClass> ARRAYS =
            describe("arrays and primitives", type -> type.isArray() || type.isPrimitive());

    /** Test frameworks are there for those who have them; bin/java and the command line run without. */
    @ArchTest
    static final ArchRule THE_CORE_NEEDS_THE_JDK_ALONE = classes()
            .that()
            .resideInAPackage(TESTBED)
            .and()
            .resideOutsideOfPackages(FRAMEWORKS)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", TESTBED, "org.jspecify.annotations..")
                    .and(not(resideInAnyPackage(FRAMEWORKS)))
                    .or(ARRAYS));
}
