// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value that a command shows to people and to programs.
 *
 * @param name for programs; does not change from version to version
 * @param title for people
 * @param value for programs: a string, a number, a boolean, a list of such values, or null
 * @param text for people; empty when the details say all
 * @param details a line each
 */
public record Field(String name, String title, @Nullable Object value, String text, List<String> details) {
    /** A field without details. */
    public Field(String name, String title, @Nullable Object value, String text) {
        this(name, title, value, text, List.of());
    }

    /** A value that people and programs read alike. */
    public static Field of(String name, String title, Object value) {
        return new Field(name, title, value, value.toString());
    }

    /** A value whose name is its title. */
    public static Field of(String name, Object value) {
        return of(name, name, value);
    }

    /** A value that may be unknown; people see a dash. */
    public static Field of(String name, String title, Optional<?> value) {
        return new Field(
                name, title, value.orElse(null), value.map(Object::toString).orElse("-"));
    }

    /** A number that people read as hexadecimal of so many digits. */
    public static Field hex(String name, String title, int value, int digits) {
        long number = Integer.toUnsignedLong(value);
        return new Field(name, title, number, hex(number, digits));
    }

    /** A number as hexadecimal of at least so many digits. */
    public static String hex(long number, int digits) {
        String text = Long.toHexString(number);
        return "0x" + "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    /** Several words; people see a dash for none. */
    public static Field list(String name, String title, List<String> words) {
        return new Field(name, title, words, words.isEmpty() ? "-" : String.join(",", words));
    }

    /** The fields for programs. */
    public static Map<String, Object> map(List<Field> fields) {
        Map<String, Object> map = new LinkedHashMap<>();
        fields.forEach(field -> map.put(field.name(), field.value()));
        return map;
    }
}
