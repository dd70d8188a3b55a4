// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The public methods and constructors of the public types (docs/api.txt), without those that a random call must not
 * reach.
 */
final class PublicMethods {
    private static final Set<String> PACKAGES = Set.of(
            "io.github.rdma4j.kernel",
            "io.github.rdma4j.verbs",
            "io.github.rdma4j.verbs.attr",
            "io.github.rdma4j.verbs.dispatch",
            "io.github.rdma4j.netty",
            "io.github.rdma4j.cm",
            "io.github.rdma4j.cm.loop");

    /**
     * Left out: the first names the kernel of this machine, whose descriptors a simulated kernel does not know; the
     * others do not end by an interrupt, which is how a random call that waits is ended.
     */
    private static final Set<String> LEFT_OUT = Set.of(
            "Kernel.running", "CompletionChannel.awaitEventUninterruptibly", "EventChannel.awaitEventUninterruptibly");

    /** The first JDK that has java.lang.foreign. */
    private static final int SEGMENTS = 22;

    private PublicMethods() {}

    /** All but those that are {@code leftOut} by name, in an order that is the same in every run. */
    static List<Executable> all(Set<String> leftOut) {
        List<Executable> found = new ArrayList<>();
        types().forEach(type -> addMembers(type, found));
        found.removeIf(member -> leftOut.contains(nameOf(member)) || LEFT_OUT.contains(nameOf(member)));
        found.sort(Comparator.comparing(Executable::toGenericString));
        return found;
    }

    private static String nameOf(Executable member) {
        return member.getDeclaringClass().getSimpleName() + "." + member.getName();
    }

    /** True for a type of the API. */
    static boolean isOfApi(Class<?> type) {
        return PACKAGES.contains(type.getPackageName()) && Modifier.isPublic(type.getModifiers());
    }

    private static Stream<Class<?>> types() {
        boolean hasSegments = Runtime.version().feature() >= SEGMENTS;
        return names().stream()
                .filter(name -> PACKAGES.contains(name.substring(0, name.lastIndexOf('.'))))
                .filter(name -> hasSegments || !name.endsWith(".SegmentMemory"))
                .map(PublicMethods::type);
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError("docs/api.txt names " + name, e);
        }
    }

    private static List<String> names() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(PublicMethods.class.getResourceAsStream("/api.txt"), "api.txt"),
                StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void addMembers(Class<?> type, List<Executable> found) {
        for (Constructor<?> constructor : type.getConstructors()) {
            if (!Modifier.isAbstract(type.getModifiers())) {
                found.add(constructor);
            }
        }
        for (Method method : type.getMethods()) {
            boolean own = method.getDeclaringClass() == type && !method.isBridge();
            if (own && isCallable(type)) {
                method.setAccessible(true);
                found.add(method);
            }
        }
        for (Class<?> nested : type.getClasses()) {
            if (nested.getDeclaringClass() == type) {
                addMembers(nested, found);
            }
        }
    }

    /**
     * Interfaces that a program implements are called by the library; those that it does not implement are objects too.
     */
    private static boolean isCallable(Class<?> type) {
        return !type.isInterface() || type.getSimpleName().equals("Pollable");
    }
}
