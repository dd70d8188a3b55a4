// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

/** Numbers rounded up. */
final class Rounding {
    private Rounding() {}

    /** The smallest power of two that is not smaller than {@code number}, which is 1 to 2^30. */
    static int toPowerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    /** The smallest multiple of {@code unit}, a power of two, that is not smaller than {@code number}. */
    static int toMultiple(int number, int unit) {
        return (number + unit - 1) & -unit;
    }
}
