// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.abi;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.abi.KernelStruct;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Java constant, a number or an enum's with a {@code code()} or a {@code mask()}, and the C expression that it has to equal.
 *
 * @param field the constant
 * @param headers what a C program includes to see the expression
 * @param expression an integer constant expression
 */
record AbiMember(Field field, List<String> headers, String expression) {
    /** The members of an annotated type; throws {@link AssertionError} for a field that cannot be checked. */
    static List<AbiMember> of(Class<?> type) {
        Stream<AbiMember> members = Stream.empty();
        KernelStruct struct = type.getAnnotation(KernelStruct.class);
        if (struct != null) {
            members = fields(layoutOf(type)).map(field -> ofStruct(field, struct));
        }
        KernelConstants constants = type.getAnnotation(KernelConstants.class);
        if (constants != null) {
            List<String> headers = List.of(constants.value());
            Stream<Field> fields = type.isEnum() ? enumConstants(type, headers) : fields(type);
            members = Stream.concat(members, ofConstants(fields, headers, constants.prefix()));
        }
        return members.toList();
    }

    /** The members that stand for constants whose C names begin with {@code prefix}. */
    static Stream<AbiMember> ofConstants(Stream<Field> fields, List<String> headers, String prefix) {
        return fields.map(field -> new AbiMember(field, headers, cName(field, prefix)));
    }

    /** What Java says. */
    long javaValue() {
        field.setAccessible(true);
        try {
            Object value = field.get(null);
            return value instanceof Enum<?> constant ? code(constant) : ((Number) value).longValue();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The number or the bit of an enum's constant; throws {@link LinkageError} for an enum without numbers. */
    private static long code(Enum<?> constant) {
        Class<?> type = constant.getDeclaringClass();
        Method code = Stream.of(type.getDeclaredMethods())
                .filter(method -> Set.of("code", "mask").contains(method.getName()) && method.getParameterCount() == 0)
                .findAny()
                .orElseThrow(() -> new LinkageError(type + " has no method code() or mask()"));
        try {
            code.setAccessible(true);
            return ((Number) code.invoke(constant)).longValue();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(code + " cannot be called", e);
        }
    }

    /** The constants of an enum that mirror constants of the installed headers. */
    static Stream<Field> enumConstants(Class<?> type, List<String> headers) {
        return Arrays.stream(type.getEnumConstants())
                .map(Enum.class::cast)
                .filter(constant -> !(constant.name().equals("UNKNOWN") && code(constant) < 0))
                .map(constant -> field(type, constant.name()))
                .filter(field -> isInTheHeaders(field, headers));
    }

    private static boolean isInTheHeaders(Field field, List<String> headers) {
        CName name = field.getAnnotation(CName.class);
        return name == null
                || name.since().isEmpty()
                || headers.stream().map(AbiTypes::text).anyMatch(text -> text.contains(name.value()));
    }

    private static Field field(Class<?> type, String name) {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What C says, as the Java type has it: an int holds a C unsigned int as its bits. */
    long toJava(long cValue) {
        return field.getType() != long.class && cValue >>> Integer.SIZE == 0 ? (int) cValue : cValue;
    }

    private static AbiMember ofStruct(Field field, KernelStruct struct) {
        String expression = field.getName().equals("BYTES")
                ? "sizeof(" + struct.value() + ")"
                : "offsetof(" + struct.value() + ", " + memberName(field) + ")";
        return new AbiMember(field, List.of(struct.header()), expression);
    }

    private static Class<?> layoutOf(Class<?> type) {
        return Arrays.stream(type.getDeclaredClasses())
                .filter(nested -> nested.getSimpleName().equals("Layout"))
                .<Class<?>>map(nested -> nested)
                .findAny()
                .orElse(type);
    }

    /** The constants of a class, or of a record beside its components; throws {@link AssertionError} for another field. */
    static Stream<Field> fields(Class<?> type) {
        Set<String> components = type.isRecord()
                ? Arrays.stream(type.getRecordComponents())
                        .map(RecordComponent::getName)
                        .collect(Collectors.toSet())
                : Set.of();
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !field.isSynthetic() && !components.contains(field.getName()))
                .peek(AbiMember::requireNumber);
    }

    private static void requireNumber(Field field) {
        boolean number = field.getType() == int.class || field.getType() == long.class;
        if (!number || !Modifier.isStatic(field.getModifiers()) || !Modifier.isFinal(field.getModifiers())) {
            throw new AssertionError("not a static final int or long, so it cannot be checked: " + field);
        }
    }

    private static String cName(Field field, String prefix) {
        CName name = field.getAnnotation(CName.class);
        return name == null ? prefix + field.getName() : name.value();
    }

    private static String memberName(Field field) {
        CName name = field.getAnnotation(CName.class);
        return name == null ? field.getName().toLowerCase(Locale.ROOT) : name.value();
    }
}
