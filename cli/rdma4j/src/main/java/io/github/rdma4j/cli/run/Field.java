// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value in the output of a command, as text and as JSON.
 *
 * @param name the JSON name, which is stable across versions
 * @param title the title in the text
 * @param value the JSON value: a string, a number, a boolean, a list of such values, or null
 * @param text the text; empty if the details suffice
 * @param details further lines of text
 */
public record Field(String name, String title, @Nullable Object value, String text, List<String> details) {
    /** The gap between two columns. */
    public static final String GAP = "  ";

    public Field(String name, String title, @Nullable Object value, String text) {
        this(name, title, value, text, List.of());
    }

    /** A value that is the same in text and JSON. */
    public static Field of(String name, String title, Object value) {
        return new Field(name, title, value, value.toString());
    }

    /** A value whose name is its title. */
    public static Field of(String name, Object value) {
        return of(name, name, value);
    }

    /** A value that may be unknown, which the text shows as a dash. */
    public static Field of(String name, String title, Optional<?> value) {
        return new Field(
                name, title, value.orElse(null), value.map(Object::toString).orElse("-"));
    }

    /** A number that the text shows in hexadecimal with at least the given number of digits. */
    public static Field hex(String name, String title, int value, int digits) {
        long number = Integer.toUnsignedLong(value);
        return new Field(name, title, number, hex(number, digits));
    }

    /** Formats a number in hexadecimal with at least the given number of digits. */
    public static String hex(long number, int digits) {
        String text = Long.toHexString(number);
        return "0x" + "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    /** Several words; the text shows an empty list as a dash. */
    public static Field list(String name, String title, List<String> words) {
        return new Field(name, title, words, words.isEmpty() ? "-" : String.join(",", words));
    }

    /** The texts of a table as lines, in which each column is as wide as its longest text. */
    public static List<String> aligned(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            Arrays.setAll(widths, i -> Math.max(widths[i], row.get(i).length()));
        }
        return rows.stream().map(row -> aligned(row, widths)).toList();
    }

    private static String aligned(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
        }
        return line.toString().stripTrailing();
    }

    /** Returns the fields as a JSON object. */
    public static Map<String, Object> map(List<Field> fields) {
        Map<String, Object> map = new LinkedHashMap<>();
        fields.forEach(field -> map.put(field.name(), field.value()));
        return map;
    }
}
