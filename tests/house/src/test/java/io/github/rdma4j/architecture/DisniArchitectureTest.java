// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** DiSNI's API over rdma4j: what it may use, and that only DiSNI uses it, and the bench of what a post costs. */
@AnalyzeClasses(packages = "io.github.rdma4j", importOptions = ArchitectureTest.Production.class)
class DisniArchitectureTest {
    private static final String ROOT = "io.github.rdma4j.";
    private static final String DISNI = ROOT + "disni..";

    /** The public API, addresses of memory, the pieces of a request, and a wait without the clock. */
    @ArchTest
    static final ArchRule IT_NEEDS_THE_API_AND_ADDRESSES = classes()
            .that()
            .resideInAPackage(DISNI)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            DISNI,
                            ROOT + "kernel..",
                            ROOT + "verbs..",
                            ROOT + "cm..",
                            ROOT + "internal.memory..",
                            ROOT + "internal.libc..",
                            ROOT + "internal.fd..",
                            ROOT + "internal.undo..",
                            ROOT + "internal.verbs..",
                            "com.ibm.disni..",
                            "java..",
                            "org.jspecify.annotations..")
                    .or(describe("arrays and primitives", (JavaClass type) -> type.isArray() || type.isPrimitive())));

    @ArchTest
    static final ArchRule NO_LIBRARY_NEEDS_IT = noClasses()
            .that()
            .resideOutsideOfPackages(DISNI, ROOT + "bench..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(DISNI, "com.ibm.."));
}
