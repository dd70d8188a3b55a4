// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.abi;

import java.util.Arrays;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The constants of an enum by the kernel's number; a look-up allocates nothing.
 *
 * @param <E> the enum
 */
public final class Codes<E extends Enum<E>> {
    private final @Nullable E[] byCode;
    private final E unknown;

    private Codes(@Nullable E[] byCode, E unknown) {
        this.byCode = byCode;
        this.unknown = unknown;
    }

    /**
     * Makes the table.
     *
     * @param constants all constants of the enum
     * @param code the kernel's number of a constant; negative for a constant without a number of the kernel
     * @param unknown the constant for a number without a constant
     */
    public static <E extends Enum<E>> Codes<E> of(E[] constants, ToIntFunction<E> code, E unknown) {
        int length = Arrays.stream(constants).mapToInt(code).max().orElseThrow() + 1;
        @Nullable E[] byCode = Arrays.copyOf(constants, length);
        Arrays.fill(byCode, null);
        for (E constant : constants) {
            int number = code.applyAsInt(constant);
            if (number >= 0) {
                byCode[number] = constant;
            }
        }
        return new Codes<>(byCode, unknown);
    }

    /** The constant with the number {@code code}. */
    public E get(int code) {
        E found = code >= 0 && code < byCode.length ? byCode[code] : null;
        return found == null ? unknown : found;
    }
}
