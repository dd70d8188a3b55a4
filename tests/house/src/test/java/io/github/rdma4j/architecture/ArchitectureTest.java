// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameter;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.cm.IbServiceRecord;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.umad.MadAddress;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Who may depend on whom beyond what the descriptors of the modules allow, and what the public API may show. */
@AnalyzeClasses(packages = "io.github.rdma4j", importOptions = ArchitectureTest.Production.class)
class ArchitectureTest {
    /** Not the tests, nor what modules share of theirs in a jar, nor the benchmarks. */
    static final class Production implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/test-classes/")
                    && !location.contains("-tests.jar")
                    && !location.contains("/rdma4j/support/")
                    && !location.contains("/rdma4j/channels/")
                    && !location.contains("/rdma4j/stress/");
        }
    }

    private static final String ROOT = "io.github.rdma4j.";
    private static final String INTERNAL = ROOT + "internal..";
    private static final String LIBC = ROOT + "internal.libc..";
    private static final String MEMORY = ROOT + "internal.memory..";
    private static final String PROVIDERS = ROOT + "internal.[rxe|siw|connectx|mlx4|mlx5|erdma|irdma|bnxt|pvrdma]..";

    private static final String[] KERNEL = {
        ROOT + "kernel..",
        LIBC,
        ROOT + "internal.fd..",
        ROOT + "internal.undo..",
        MEMORY,
        ROOT + "internal.abi..",
        ROOT + "internal.netlink.."
    };

    private static final String DISNI = ROOT + "disni..";
    private static final String TESTBED = ROOT + "testbed..";

    /** The packages of the testbed for users of test frameworks. */
    private static final String[] FRAMEWORKS = {ROOT + "testbed.junit..", ROOT + "testbed.containers.."};

    /** Structs and constants of the kernel's headers: bytes to values and back. */
    private static final String[] WIRE = {
        ROOT + "internal.abi..",
        ROOT + "internal.uverbs..",
        ROOT + "internal.netlink..",
        ROOT + "internal.ucm..",
        ROOT + "internal.umad..",
        ROOT + "internal.mad.."
    };

    /** The values that users name and that internal packages use. */
    private static final Set<Class<?>> ENCODED =
            Set.of(CmState.class, Ece.class, IbServiceRecord.class, IbSocketAddress.class, MadAddress.class);

    /** What users name and the kernel reads: these lie beside the classes that use them, and know none of those. */
    private static final DescribedPredicate<JavaClass> VALUES = describe(
            "values that mirror what the kernel says",
            type -> resideInAPackage(ROOT + "verbs.attr..").test(type)
                    || outermost(type).isAnnotatedWith("io.github.rdma4j.internal.abi.KernelStruct")
                    || outermost(type).isAnnotatedWith("io.github.rdma4j.internal.abi.KernelConstants")
                    || ENCODED.stream().anyMatch(outermost(type)::isEquivalentTo));

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureTest::outermost).orElse(type);
    }

    /** What users may name: the public classes of the packages that are not internal. */
    private static final DescribedPredicate<JavaClass> PUBLIC_API = describe(
            "public classes of the libraries",
            type -> isPublic(type)
                    && resideInAnyPackage(
                                    ROOT + "kernel..",
                                    ROOT + "verbs..",
                                    ROOT + "netty..",
                                    ROOT + "cm..",
                                    ROOT + "umad..",
                                    ROOT + "sm..")
                            .test(type));

    @ArchTest
    static final ArchRule JNR_STAYS_IN_TWO_PACKAGES = noClasses()
            .that()
            .resideOutsideOfPackages(LIBC, MEMORY, ROOT + "bench.cost..", ROOT + "providers.instant..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("jnr.ffi..", "jnr.posix..", "com.kenai.."))
            .because("only the system calls and the memory lent to the kernel know how native code is reached");

    /** An image of the JDK may lack the flight recorder. */
    @ArchTest
    static final ArchRule THE_FLIGHT_RECORDER_STAYS_BEHIND_ITS_FRONT = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + "internal.flight..", ROOT + "research..", TESTBED)
            .should()
            .dependOnClassesThat(resideInAPackage("jdk.jfr.."));

    @ArchTest
    static final ArchRule NOBODY_USES_UNSAFE =
            noClasses().should().dependOnClassesThat(resideInAnyPackage("sun..", "jdk.internal.."));

    @ArchTest
    static final ArchRule LAYOUTS_DEPEND_ON_NOTHING = classes()
            .that()
            .resideInAnyPackage(
                    ROOT + "internal.abi..",
                    ROOT + "internal.uverbs..",
                    ROOT + "internal.ucm..",
                    ROOT + "internal.umad..")
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify.annotations..")
                    .or(resideInAnyPackage(WIRE))
                    .or(VALUES)
                    .or(arrays()));

    private static DescribedPredicate<JavaClass> arrays() {
        return describe("arrays and primitives", type -> type.isArray() || type.isPrimitive());
    }

    @ArchTest
    static void thePackagesHaveNoCircles(JavaClasses classes) {
        assertThat(Circles.of(classes, type -> type.getPackageName().startsWith(ROOT), ArchitectureTest::room))
                .isEmpty();
    }

    /** A package each, but for the values, which are of the wire, and for two fronts with what they hide. */
    private static String room(JavaClass type) {
        if (VALUES.test(type) || resideInAnyPackage(WIRE).test(type)) {
            return "wire";
        }
        if (resideInAnyPackage(KERNEL).test(type)) {
            return "kernel";
        }
        if (resideInAnyPackage(ROOT + "verbs", ROOT + "internal.verbs").test(type)) {
            return "verbs";
        }
        return type.getPackageName();
    }

    /** Bytes to values and back, without a port to send them through. */
    @ArchTest
    static final ArchRule MAD_CODECS_MAKE_NO_CALLS = noClasses()
            .that()
            .resideInAPackage(ROOT + "sm.mad..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(ROOT + "umad..", ROOT + "internal.umad..", LIBC));

    /** But for their own tests, and what measures them. */
    @ArchTest
    static final ArchRule PROVIDERS_ARE_FOUND_AND_NOT_NAMED = noClasses()
            .that()
            .resideOutsideOfPackages(PROVIDERS, ROOT + "providers..", ROOT + "bench..")
            .should()
            .dependOnClassesThat(resideInAPackage(PROVIDERS));

    /** Test frameworks are there for those who have them; bin/java and the command line run without. */
    @ArchTest
    static final ArchRule THE_TESTBED_NEEDS_THE_JDK_ALONE = classes()
            .that()
            .resideInAPackage(TESTBED)
            .and()
            .resideOutsideOfPackages(FRAMEWORKS)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage("java..", TESTBED, "org.jspecify.annotations..")
                    .and(not(resideInAnyPackage(FRAMEWORKS)))
                    .or(arrays()));

    /** The public API, addresses of memory, the pieces of a request, and a wait without the clock. */
    @ArchTest
    static final ArchRule DISNI_NEEDS_THE_API_AND_ADDRESSES = classes()
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
                    .or(arrays()));

    /** But for the bench of what a post costs. */
    @ArchTest
    static final ArchRule NO_LIBRARY_NEEDS_DISNI = noClasses()
            .that()
            .resideOutsideOfPackages(DISNI, ROOT + "bench..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(DISNI, "com.ibm.."));

    @ArchTest
    static final ArchRule STATIC_STATE_IS_PRIVATE =
            fields().that().areStatic().and().areNotPrivate().should().beFinal();

    @ArchTest
    static final ArchRule NO_PUBLIC_ARRAYS_OR_COLLECTIONS = noFields()
            .that()
            .areStatic()
            .and()
            .arePublic()
            .should()
            .haveRawType(describe(
                    "an array or a collection that is not behind an interface",
                    (JavaClass type) -> type.isArray() || isClassOfCollections(type.reflect())));

    private static boolean isClassOfCollections(Class<?> type) {
        return !type.isInterface() && (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
    }

    /** Superclasses and constructors included: what a user may see or override. */
    @ArchTest
    static final ArchRule THE_API_SHOWS_NOTHING_INTERNAL = classes()
            .that(are(PUBLIC_API))
            .should(new ArchCondition<>("show nothing internal, and nothing of JNR") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    Stream<JavaType> supertypes =
                            Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
                    Stream<JavaType> members = type.getMembers().stream()
                            .filter(ArchitectureTest::isVisible)
                            .flatMap(ArchitectureTest::shown);
                    Stream.concat(supertypes, members)
                            .flatMap(shown -> shown.getAllInvolvedRawTypes().stream())
                            .map(JavaClass::getBaseComponentType)
                            .filter(resideInAnyPackage(INTERNAL, "jnr..", "com.kenai.."))
                            .distinct()
                            .forEach(shown -> events.add(
                                    SimpleConditionEvent.violated(type, type.getName() + " shows " + shown.getName())));
                }
            });

    private static Stream<JavaType> shown(JavaMember member) {
        if (member instanceof JavaField field) {
            return Stream.of(field.getType());
        }
        JavaCodeUnit unit = (JavaCodeUnit) member;
        return Stream.concat(
                Stream.of(unit.getReturnType()),
                Stream.concat(unit.getParameterTypes().stream(), unit.getExceptionTypes().stream()));
    }

    /** Users work with buffers; what takes an address lies in internal packages. */
    @ArchTest
    static final ArchRule THE_API_SHOWS_NO_ADDRESSES = methods()
            .that(are(describe("public", ArchitectureTest::isVisible)))
            .and()
            .areDeclaredInClassesThat(PUBLIC_API)
            .should(haveNoAddress());

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(ArchitectureTest::isPublic).orElse(true);
    }

    private static boolean isVisible(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                || member.getModifiers().contains(JavaModifier.PROTECTED);
    }

    private static ArchCondition<JavaMethod> haveNoAddress() {
        return new ArchCondition<>("neither take nor return a long that is an address") {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                boolean returns = method.getRawReturnType().isEquivalentTo(long.class) && isAddress(method.getName());
                if (returns || takesAddress(method)) {
                    events.add(SimpleConditionEvent.violated(method, method.getFullName() + " deals in addresses"));
                }
            }
        };
    }

    private static boolean takesAddress(JavaMethod method) {
        for (JavaParameter parameter : method.getParameters()) {
            // Reflection needs the types of all parameters, which JDK 17 may not have.
            if (parameter.getRawType().isEquivalentTo(long.class)
                    && isAddress(method.reflect()
                            .getParameters()[parameter.getIndex()]
                            .getName())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAddress(String name) {
        return Set.of("address", "addressof", "pointer").contains(name.toLowerCase(Locale.ROOT));
    }
}
