// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.netty;

import java.util.Random;

/**
 * A side writes.
 *
 * @param flushesEach whether each write is flushed, or all together
 * @param isInLoop whether the event loop does it, or the thread of the program
 * @param pauseMillis before it
 * @param switches whether autoRead is reset before the pause and set after it
 */
record Act(int count, int size, Kind kind, boolean flushesEach, boolean isInLoop, int pauseMillis, boolean switches) {
    private static final int PAUSE = 15;

    /** What is written: a buffer, or a region of a file. */
    enum Kind {
        HEAP,
        DIRECT,
        COMPOSITE,
        FILE
    }

    int bytes() {
        return count * size;
    }

    /** The same with fewer writes. */
    Act atMost(int writes) {
        return new Act(Math.min(count, writes), size, kind, flushesEach, isInLoop, pauseMillis, switches);
    }

    /** At most so many writes, each of at most {@code 1 << bits} bytes. */
    static Act draw(Random random, int writes, int bits) {
        return new Act(
                1 + random.nextInt(writes),
                1 + random.nextInt(1 << (1 + random.nextInt(bits))),
                Kind.values()[random.nextInt(Kind.values().length)],
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextInt(3) == 0 ? random.nextInt(PAUSE) : 0,
                random.nextInt(3) == 0);
    }
}
