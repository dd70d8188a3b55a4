// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One thing that an answer tells, for people and for programs.
 *
 * @param name for programs, in camel case; stays as it is from version to version
 * @param title for people: the head of a column
 * @param value for programs: a string, a number, a boolean, a list of strings, or null
 * @param text for people
 */
record Field(String name, String title, @Nullable Object value, String text) {
    static Field of(String name, String title, Object value) {
        return new Field(name, title, value, value.toString());
    }

    /** What may not be known; people see a dash. */
    static Field of(String name, String title, Optional<?> value) {
        return new Field(
                name, title, value.orElse(null), value.map(Object::toString).orElse("-"));
    }

    /** A number that people read as hexadecimal of so many digits. */
    static Field hex(String name, String title, int value, int digits) {
        return new Field(
                name, title, Integer.toUnsignedLong(value), String.format(Locale.ROOT, "0x%0" + digits + "x", value));
    }

    /** Several words; people see a dash for none. */
    static Field list(String name, String title, List<String> words) {
        return new Field(name, title, words, words.isEmpty() ? "-" : String.join(",", words));
    }
}
