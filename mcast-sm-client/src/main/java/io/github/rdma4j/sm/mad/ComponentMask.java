// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import java.util.HexFormat;

/**
 * Which fields of a record count: in a query those that have to match, in a registration those that are given.
 *
 * @param bits one bit a field, in the order of the record
 */
public record ComponentMask(long bits) {
    public static final ComponentMask NONE = new ComponentMask(0);

    /** The mask of these fields. */
    public static ComponentMask of(Component... fields) {
        long bits = 0;
        for (Component field : fields) {
            bits |= field.mask();
        }
        return new ComponentMask(bits);
    }

    public boolean has(Component field) {
        return (bits & field.mask()) != 0;
    }

    ComponentMask with(Component field) {
        return new ComponentMask(bits | field.mask());
    }

    /** For example {@code 0x10003}. */
    @Override
    public String toString() {
        return "0x" + HexFormat.of().toHexDigits(bits).replaceFirst("^0{1,15}", "");
    }
}
