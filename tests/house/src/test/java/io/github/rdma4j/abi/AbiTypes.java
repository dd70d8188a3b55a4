// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.abi;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the types that mirror C declarations in all modules on the class path, be they directories or jars. */
final class AbiTypes {
    private static final String ROOT = "io/github/rdma4j";
    private static final String CLASS = ".class";

    /** What the InfiniBand specification lays out and no header declares: the bytes of other programs are its witness. */
    private static final Set<String> ON_THE_WIRE = Set.of("io.github.rdma4j.internal.mad", "io.github.rdma4j.sm.mad");

    /** These mirror no kernel, and some of their classes need libraries that are not here. */
    private static final Set<String> OTHERS = Set.of(
            "io.github.rdma4j.testbed.",
            "io.github.rdma4j.bench.",
            "io.github.rdma4j.providers.",
            "io.github.rdma4j.research.",
            "io.github.rdma4j.soak.",
            "io.github.rdma4j.stress.");

    private AbiTypes() {}

    /** The types annotated with {@link KernelStruct} or {@link KernelConstants}, by name. */
    static List<Class<?>> annotated() {
        return all().filter(type ->
                        type.isAnnotationPresent(KernelStruct.class) || type.isAnnotationPresent(KernelConstants.class))
                .filter(AbiTypes::isInTheHeaders)
                .toList();
    }

    /** False for what came with a newer kernel than the one whose headers are installed. */
    private static boolean isInTheHeaders(Class<?> type) {
        KernelStruct struct = type.getAnnotation(KernelStruct.class);
        if (struct != null) {
            return struct.since().isEmpty() || declares(text(struct.header()), struct, type);
        }
        KernelConstants constants = type.getAnnotation(KernelConstants.class);
        if (constants.since().isEmpty()) {
            return true;
        }
        if (type.isEnum()) {
            return AbiMember.enumConstants(type, List.of(constants.value()))
                    .findAny()
                    .isPresent();
        }
        String headers = Stream.of(constants.value()).map(AbiTypes::text).collect(Collectors.joining());
        return Stream.of(type.getDeclaredFields()).map(Field::getName).allMatch(headers::contains);
    }

    /** False also for a struct that a newer kernel has given the members of this type. */
    private static boolean declares(String header, KernelStruct struct, Class<?> type) {
        int start = header.indexOf(struct.value() + " {");
        if (start < 0) {
            return false;
        }
        String members = header.substring(start, header.indexOf("\n};", start));
        return Stream.of(type.getDeclaredFields())
                .map(field -> field.getAnnotation(CName.class))
                .filter(Objects::nonNull)
                .map(name -> List.of(name.value().split("\\.")))
                .allMatch(path -> members.contains(path.get(0)) && path.stream().allMatch(header::contains));
    }

    static String text(String header) {
        try {
            return Files.readString(Path.of("/usr/include", header));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The classes called Layout that no annotated type encloses. */
    static List<Class<?>> strayLayouts() {
        return all().filter(type -> type.getSimpleName().equals("Layout"))
                .filter(type -> !ON_THE_WIRE.contains(type.getPackageName()))
                .filter(type -> type.getEnclosingClass() == null
                        || !type.getEnclosingClass().isAnnotationPresent(KernelStruct.class))
                .toList();
    }

    private static Stream<Class<?>> all() {
        TreeSet<String> names = new TreeSet<>(Comparator.naturalOrder());
        try {
            for (URL root : Collections.list(AbiTypes.class.getClassLoader().getResources(ROOT))) {
                names.addAll(classNames(root));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return names.stream()
                .filter(name -> OTHERS.stream().noneMatch(name::startsWith))
                .map(AbiTypes::load);
    }

    private static List<String> classNames(URL root) throws IOException {
        URLConnection connection = root.openConnection();
        if (connection instanceof JarURLConnection jar) {
            return jar.getJarFile().stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.startsWith(ROOT + "/") && name.endsWith(CLASS))
                    .map(AbiTypes::className)
                    .toList();
        }
        Path directory = Path.of(uri(root));
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(CLASS))
                    .map(file -> className(ROOT + "/" + directory.relativize(file)))
                    .toList();
        }
    }

    private static URI uri(URL url) {
        try {
            return url.toURI();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String className(String file) {
        return file.substring(0, file.length() - CLASS.length()).replace('/', '.');
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, AbiTypes.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("on the class path, but cannot be loaded", e);
        }
    }
}
