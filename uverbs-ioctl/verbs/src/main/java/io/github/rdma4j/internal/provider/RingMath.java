// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/** Arithmetic of ring sizes. */
public final class RingMath {
    private RingMath() {}

    /** Rejects a capacity beyond the limits of the device. */
    public static void require(String what, int asked, int least, int most) {
        if (asked < least || asked > most) {
            throw new IllegalArgumentException(what + " is " + asked + "; the device takes " + least + " to " + most);
        }
    }

    public static boolean isPowerOfTwo(int number) {
        return number > 0 && Integer.bitCount(number) == 1;
    }

    /** The smallest power of two not smaller than {@code number}, which is at most 2^30. */
    public static int toPowerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    /** The smallest multiple of {@code unit}, a power of two, not smaller than {@code number}. */
    public static int toMultiple(int number, int unit) {
        return (number + unit - 1) & -unit;
    }
}
