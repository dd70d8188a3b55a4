// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.util.Arrays;
import java.util.Random;

/** Random inputs. One in four is an extreme, such as 0, -1, and the least and the greatest of a range. */
public final class Draw {
    private static final int ONE_IN = 4;
    private static final long[] EXTREME_LONGS = {
        0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE, 0xffff_ffffL, 1L << Integer.SIZE
    };

    private Draw() {}

    /** Any long. */
    public static long anyLong(Random random) {
        return isExtreme(random) ? EXTREME_LONGS[random.nextInt(EXTREME_LONGS.length)] : random.nextLong();
    }

    /** Any int. */
    public static int anyInt(Random random) {
        return within(random, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** An int from {@code min} to {@code max}, both included. */
    public static int within(Random random, int min, int max) {
        if (isExtreme(random)) {
            int[] extremes = {min, max, 0, 1, -1};
            int extreme = extremes[random.nextInt(extremes.length)];
            return Math.min(Math.max(extreme, min), max);
        }
        return (int) random.nextLong(min, max + 1L);
    }

    /** As many bytes as {@code length}. */
    public static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        if (isExtreme(random)) {
            Arrays.fill(bytes, (byte) (random.nextBoolean() ? 0 : -1));
        }
        for (int i = 0; i < length; i++) {
            if (isExtreme(random)) {
                bytes[i] = (byte) within(random, Byte.MIN_VALUE, Byte.MAX_VALUE);
            }
        }
        return bytes;
    }

    /** No more bytes than {@code max}. */
    public static byte[] bytesUpTo(Random random, int max) {
        return bytes(random, within(random, 0, max));
    }

    private static boolean isExtreme(Random random) {
        return random.nextInt(ONE_IN) == 0;
    }
}
