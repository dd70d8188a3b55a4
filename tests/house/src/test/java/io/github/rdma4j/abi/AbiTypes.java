// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.abi;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the types that mirror C declarations in all modules on the class path, be they directories or jars. */
final class AbiTypes {
    /** What the InfiniBand specification lays out and no header declares: the bytes of other programs are its witness. */
    private static final Set<String> ON_THE_WIRE = Set.of("io.github.rdma4j.internal.mad", "io.github.rdma4j.sm.mad");

    /** Of the libraries: what tests and programs have mirrors no kernel. */
    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(
                    "io.github.rdma4j.internal",
                    "io.github.rdma4j.kernel",
                    "io.github.rdma4j.verbs",
                    "io.github.rdma4j.cm",
                    "io.github.rdma4j.umad",
                    "io.github.rdma4j.sm");

    private AbiTypes() {}

    /** The types annotated with {@link KernelStruct} or {@link KernelConstants}, by name. */
    static List<Class<?>> annotated() {
        return ALL.stream()
                .filter(type -> type.isAnnotatedWith(KernelStruct.class) || type.isAnnotatedWith(KernelConstants.class))
                .<Class<?>>map(JavaClass::reflect)
                .filter(AbiTypes::isInTheHeaders)
                .sorted(Comparator.comparing(Class::getName))
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
    static List<String> strayLayouts() {
        return ALL.stream()
                .filter(type -> type.getSimpleName().equals("Layout"))
                .filter(type -> !ON_THE_WIRE.contains(type.getPackageName()))
                .filter(type -> !type.getEnclosingClass()
                        .map(outer -> outer.isAnnotatedWith(KernelStruct.class))
                        .orElse(false))
                .map(JavaClass::getName)
                .toList();
    }
}
