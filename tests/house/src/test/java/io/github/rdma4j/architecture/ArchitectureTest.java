// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static io.github.rdma4j.architecture.Layers.*;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Who may depend on whom, and what the public API may show. */
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

    @ArchTest
    static final ArchRule THE_KERNEL_LAYER_KNOWS_NOBODY_ABOVE = noClasses()
            .that()
            .resideInAnyPackage(KERNEL)
            .should()
            .dependOnClassesThat(resideInAnyPackage(all(VERBS, NETTY, CM, UMAD, SM, PROGRAMS)));

    @ArchTest
    static final ArchRule VERBS_KNOW_NOBODY_ABOVE = noClasses()
            .that()
            .resideInAnyPackage(VERBS)
            .should()
            .dependOnClassesThat(resideInAnyPackage(all(NETTY, CM, UMAD, SM, PROGRAMS)));

    @ArchTest
    static final ArchRule THE_CONNECTION_MANAGER_KNOWS_NOBODY_ABOVE = noClasses()
            .that()
            .resideInAnyPackage(CM)
            .should()
            .dependOnClassesThat(resideInAnyPackage(all(UMAD, SM, PROGRAMS)));

    @ArchTest
    static final ArchRule MANAGEMENT_DATAGRAMS_KNOW_NOBODY_ABOVE = noClasses()
            .that()
            .resideInAnyPackage(UMAD)
            .should()
            .dependOnClassesThat(resideInAnyPackage(all(SM, CM, PROGRAMS)));

    @ArchTest
    static final ArchRule SUBNET_ADMINISTRATION_KNOWS_NO_CONNECTIONS = noClasses()
            .that()
            .resideInAnyPackage(SM)
            .should()
            .dependOnClassesThat(resideInAnyPackage(all(CM, PROGRAMS)));

    /** Bytes to values and back, without a port to send them through. */
    @ArchTest
    static final ArchRule MAD_CODECS_MAKE_NO_CALLS = noClasses()
            .that()
            .resideInAPackage(ROOT + "sm.mad..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(all(UMAD, new String[] {LIBC})));

    @ArchTest
    static final ArchRule THE_TESTBED_STANDS_ALONE = noClasses()
            .that()
            .resideInAPackage(ROOT + "testbed..")
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    all(KERNEL, VERBS, CM, UMAD, SM, new String[] {ROOT + "cli..", ROOT + "research.."})));

    /** But for their own tests, and what measures them. */
    @ArchTest
    static final ArchRule PROVIDERS_ARE_FOUND_AND_NOT_NAMED = noClasses()
            .that()
            .resideOutsideOfPackages(PROVIDERS, ROOT + "providers..", ROOT + "bench..")
            .should()
            .dependOnClassesThat(resideInAPackage(PROVIDERS));

    @ArchTest
    static final ArchRule NETTY_BUFFERS_NEED_THE_VERBS_AND_NETTY = classes()
            .that()
            .resideInAnyPackage(NETTY)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(all(KERNEL, VERBS, NETTY))
                    .or(resideInAnyPackage(
                            "java..", "io.netty.buffer..", "io.netty.util..", "org.jspecify.annotations.."))
                    .or(arrays()));

    @ArchTest
    static final ArchRule THE_NETTY_TRANSPORT_NEEDS_STREAMS_BUFFERS_AND_NETTY = classes()
            .that()
            .resideInAnyPackage(NETTY_TRANSPORT)
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(all(KERNEL, VERBS, CM, NETTY, RSOCKET, NETTY_TRANSPORT))
                    .or(resideInAnyPackage(
                            "java..",
                            "io.netty.bootstrap..",
                            "io.netty.buffer..",
                            "io.netty.channel..",
                            "io.netty.util..",
                            "org.jspecify.annotations.."))
                    .or(arrays()));

    @ArchTest
    static final ArchRule THE_LIBRARIES_NEED_JNR_ONLY = classes()
            .that()
            .resideInAnyPackage(all(KERNEL, VERBS, CM, UMAD, SM))
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "java..", "io.github.rdma4j..", "jnr..", "com.kenai.jffi..", "org.jspecify.annotations..")
                    .or(arrays()));

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

    @ArchTest
    static final ArchRule THE_API_SHOWS_NO_JNR = methods()
            .that(are(describe("public", ArchitectureTest::isVisible)))
            .and()
            .areDeclaredInClassesThat(PUBLIC_API)
            .should(showNo(
                    "jnr or jffi type",
                    type -> type.getPackageName().startsWith("jnr.")
                            || type.getPackageName().startsWith("com.kenai.")));

    /** Superclasses and constructors included: what a user may see or override. */
    @ArchTest
    static final ArchRule THE_API_SHOWS_NOTHING_INTERNAL = classes()
            .that(are(PUBLIC_API))
            .should(new ArchCondition<>("show nothing internal") {
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
                            .filter(resideInAPackage(INTERNAL))
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

    private static ArchCondition<JavaMethod> showNo(String what, java.util.function.Predicate<JavaClass> forbidden) {
        return new ArchCondition<>("show no " + what) {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                List<JavaClass> shown = new ArrayList<>(method.getRawParameterTypes());
                shown.add(method.getRawReturnType());
                shown.addAll(method.getExceptionTypes().stream()
                        .map(type -> type.toErasure())
                        .toList());
                for (JavaClass type : shown) {
                    if (forbidden.test(type.getBaseComponentType())) {
                        events.add(SimpleConditionEvent.violated(
                                method, method.getFullName() + " shows " + type.getName()));
                    }
                }
            }
        };
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
