// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The public types of {@code docs/api.txt} keep to one idiom for options and one for absence (ADR 19). */
class ApiIdiomsTest {
    private static final Path LIST = Path.of("..", "..", "docs", "api.txt");
    private static final List<String> OPTIONS = List.of("Options", "Parameters", "Hints");

    /** The object that a caller attaches comes back as it was given, and {@code equals} takes null by its contract. */
    /** The last overrides a method of the JDK. */
    private static final Set<String> MAY_BE_NULL =
            Set.of("CmId.attach", "CmId.attachment", "RdmaSelectorProvider.inheritedChannel");

    /** For authors of drivers: what a ring reads on the data path must not be wrapped. */
    private static final String PROVIDERS = "io.github.rdma4j.internal.provider";

    /** Its types extend those of Testcontainers, which these tests do not have, and are shaped by them. */
    private static final String CONTAINERS = "io.github.rdma4j.testbed.containers.";

    /** Its methods can be looked at from JDK 22 on. */
    private static final String OF_JDK_22 = "SegmentMemory";

    private static boolean canBeLookedAt(Class<?> type) {
        return Runtime.version().feature() >= 22 || !type.getSimpleName().equals(OF_JDK_22);
    }

    @Test
    void noPublicSignatureTakesOrReturnsNull() throws Exception {
        List<String> nullable = new ArrayList<>();
        List<Class<?>> forPrograms = types().stream()
                .filter(type -> !type.getPackageName().equals(PROVIDERS))
                .filter(ApiIdiomsTest::canBeLookedAt)
                .toList();
        for (Class<?> type : forPrograms) {
            Stream.concat(Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
                    .filter(ApiIdiomsTest::isOfTheApi)
                    .filter(member -> !member.getName().equals("equals"))
                    .filter(ApiIdiomsTest::isNullable)
                    .map(member -> name(type, member))
                    .filter(name -> !MAY_BE_NULL.contains(name))
                    .forEach(nullable::add);
        }
        assertThat(nullable)
                .as("public methods with @Nullable: return an Optional, and offer an overload")
                .isEmpty();
    }

    @Test
    void optionsAreValuesWithABuilder() throws Exception {
        List<Class<?>> options = types().stream()
                .filter(type -> OPTIONS.stream().anyMatch(type.getSimpleName()::endsWith))
                .toList();
        assertThat(options).hasSizeGreaterThan(7);
        for (Class<?> type : options) {
            assertThat(type.getConstructors())
                    .as("public constructors of %s", type)
                    .isEmpty();
            assertThat(type).isFinal();
            List<Method> methods = Arrays.stream(type.getMethods()).toList();
            assertThat(methods)
                    .as("methods of %s", type)
                    .anyMatch(method -> method.getName().equals("builder") && Modifier.isStatic(method.getModifiers()))
                    .anyMatch(method -> method.getName().equals("toBuilder") && method.getParameterCount() == 0)
                    .noneMatch(method -> method.getName().matches("with[A-Z].*"))
                    .noneMatch(method -> !Modifier.isStatic(method.getModifiers())
                            && method.getReturnType() == type
                            && method.getParameterCount() > 0);
        }
    }

    private static List<Class<?>> types() throws IOException, ClassNotFoundException {
        List<Class<?>> types = new ArrayList<>();
        for (String name : Files.readAllLines(LIST)) {
            if (!name.startsWith(CONTAINERS)) {
                addWithNested(types, Class.forName(name, false, ApiIdiomsTest.class.getClassLoader()));
            }
        }
        return types;
    }

    private static void addWithNested(List<Class<?>> types, Class<?> type) {
        types.add(type);
        for (Class<?> nested : type.getClasses()) {
            if (nested.getDeclaringClass() == type) {
                addWithNested(types, nested);
            }
        }
    }

    private static boolean isOfTheApi(Executable member) {
        return !member.isSynthetic()
                && (Modifier.isPublic(member.getModifiers()) || Modifier.isProtected(member.getModifiers()));
    }

    private static boolean isNullable(Executable member) {
        return Stream.concat(
                        Stream.of(member.getAnnotatedReturnType()), Arrays.stream(member.getAnnotatedParameterTypes()))
                .anyMatch(ApiIdiomsTest::isNullable);
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }

    private static String name(Class<?> type, Executable member) {
        return type.getSimpleName() + '.' + member.getName();
    }
}
