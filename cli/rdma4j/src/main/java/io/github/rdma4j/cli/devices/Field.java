// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.devices;

import java.util.List;

/**
 * What is known of a device or port under one name.
 *
 * @param name as {@code ibv_devinfo} prints it
 * @param value for programs: a number, a string or a list
 * @param text for people; empty when the details say all
 * @param details a line each
 */
record Field(String name, Object value, String text, List<String> details) {
    Field(String name, Object value, String text) {
        this(name, value, text, List.of());
    }

    static Field of(String name, long number) {
        return new Field(name, number, Long.toString(number));
    }

    /** An int that the kernel means as unsigned. */
    static Field unsigned(String name, int number) {
        return of(name, Integer.toUnsignedLong(number));
    }

    static Field of(String name, String text) {
        return new Field(name, text, text);
    }

    /** A number that is printed in hexadecimal digits. */
    static Field hex(String name, long number) {
        return hex(name, number, 1);
    }

    static Field hex(String name, long number, int digits) {
        String text = Long.toHexString(number);
        String padded = "0".repeat(Math.max(0, digits - text.length())) + text;
        return of(name, "0x" + padded);
    }

    /** A number with its name. */
    static Field named(String name, String meaning, int number) {
        return new Field(name, meaning, meaning + " (" + number + ")");
    }
}
