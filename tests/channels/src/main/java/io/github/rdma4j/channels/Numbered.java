// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

import java.nio.ByteBuffer;

/** The bytes of one direction of a connection: each byte follows from its place, so that a reader notices what is lost, twice or late. */
public final class Numbered {
    private static final int PERIOD = 1 << 17;
    private static final int SPREAD = 0x9e37_79b1;
    private static final int TOP = 24;

    private final byte[] table = new byte[PERIOD];

    /** The bytes of a direction, which differ from those of another. */
    public Numbered(int direction) {
        for (int i = 0; i < PERIOD; i++) {
            table[i] = (byte) (((i + 1) * SPREAD + direction * 0x0101_0101) >>> TOP);
        }
    }

    /** The byte at a place. */
    public byte at(long place) {
        return table[(int) (place % PERIOD)];
    }

    /** As many bytes as there is room in {@code target}, from {@code place} on. */
    public void fill(ByteBuffer target, long place) {
        for (long at = place; target.hasRemaining(); at++) {
            target.put(at(at));
        }
    }

    /** How many bytes of {@code read}, from its index {@code from} to its position, are right. */
    public int right(ByteBuffer read, int from, long place) {
        for (int i = from; i < read.position(); i++) {
            if (read.get(i) != at(place + i - from)) {
                return i - from;
            }
        }
        return read.position() - from;
    }
}
