// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import java.nio.ByteOrder;

/** Big-endian words as the machine stores and loads them. */
final class BigEndian {
    private BigEndian() {}

    /** Numbers that lie in memory as big-endian ones, in the order in which the machine stores and loads them. */
    static final class StoredOrder {
        private static final boolean BIG_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;

        private StoredOrder() {}

        static int of(int bigEndian) {
            return BIG_ENDIAN ? bigEndian : Integer.reverseBytes(bigEndian);
        }

        static long of(long bigEndian) {
            return BIG_ENDIAN ? bigEndian : Long.reverseBytes(bigEndian);
        }
    }

    /** Two neighbouring big-endian words of an element as one number, so that one store writes both. */
    static final class WordPair {
        private static final long LOW = 0xffff_ffffL;

        private WordPair() {}

        static long of(int first, int second) {
            return (long) first << Integer.SIZE | (second & LOW);
        }
    }
}
