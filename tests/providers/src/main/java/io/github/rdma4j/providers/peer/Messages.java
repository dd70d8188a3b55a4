// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.peer;

import java.nio.ByteBuffer;

/** What the message of a number holds, as in {@code peer.c}. */
final class Messages {
    static final int SLOTS = 64;
    static final int SLOT = 256;
    static final int FIRST_PIECE = 100;
    static final int INLINE = 64;
    static final int SIGNALED_EACH = 4;
    static final int QKEY = 0x1ee7;

    private static final int LONGEST = 200;

    private Messages() {}

    static int hash(int number) {
        int mixed = number * 0x9e37_79b1;
        mixed = (mixed ^ mixed >>> 16) * 0x85eb_ca6b;
        return mixed ^ mixed >>> 13;
    }

    static int length(Kind kind, int number) {
        if (kind.isAtomic()) {
            return Long.BYTES;
        }
        return kind.fillsReceive()
                ? Integer.remainderUnsigned(hash(number), LONGEST + 1)
                : Integer.remainderUnsigned(hash(number), LONGEST) + 1;
    }

    private static byte content(int number, int index) {
        return (byte) ((hash(number) >>> (index % Integer.BYTES * Byte.SIZE)) + index);
    }

    static long word(int number) {
        return (long) hash(number) << Integer.SIZE | number;
    }

    /** What a compare-and-swap expects: of an odd number, what is not there. */
    static long expected(int number) {
        return word(number) + number % 2;
    }

    /** What an atomic operation leaves. */
    static long changed(Kind kind, int number) {
        if (kind == Kind.FETCH_AND_ADD) {
            return word(number) + number;
        }
        return number % 2 == 0 ? number : word(number);
    }

    static boolean isSignaled(int number) {
        return number % SIGNALED_EACH == SIGNALED_EACH - 1;
    }

    static boolean isInline(Kind kind, int number) {
        return !kind.fetches() && length(kind, number) <= INLINE && (hash(number) >>> 9 & 1) != 0;
    }

    static boolean isInTwoPieces(Kind kind, int number) {
        return !kind.isAtomic() && length(kind, number) > 1 && (hash(number) >>> 8 & 1) != 0;
    }

    static void write(ByteBuffer to, int at, Kind kind, int number) {
        for (int i = 0; i < length(kind, number); i++) {
            to.put(at + i, content(number, i));
        }
    }

    static boolean isAt(ByteBuffer from, int at, Kind kind, int number) {
        for (int i = 0; i < length(kind, number); i++) {
            if (from.get(at + i) != content(number, i)) {
                return false;
            }
        }
        return true;
    }
}
