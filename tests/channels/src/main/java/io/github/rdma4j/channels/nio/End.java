// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import java.util.Random;

/**
 * How a connection ends: a side writes and closes, and the other reads to the end.
 *
 * @param tail bytes that are written before the close
 * @param back bytes that the other side writes
 * @param lateMillis how long the other side waits before it reads
 * @param linger seconds; -1 for none
 * @param isInterrupted whether the closing thread is interrupted
 * @param selects whether the other side reads with a selector
 */
record End(
        boolean isByClient,
        How how,
        int tail,
        int back,
        int lateMillis,
        int linger,
        boolean isInterrupted,
        boolean selects) {
    private static final int SMALL = 4000;
    private static final int LARGE = 60_000;
    private static final int LATE = 300;

    enum How {
        /** By the thread that wrote. */
        CLOSE,
        /** While another thread reads. */
        WHILE_READING,
        /** By an interrupt of a thread that reads. */
        READER_INTERRUPTED,
        /** While another thread writes more than the other side takes. */
        WHILE_WRITING,
        /** By an interrupt of such a thread. */
        WRITER_INTERRUPTED,
        /** While a selector waits for the channel. */
        WHILE_SELECTING,
        /** After an end for the output, and that of the other side. */
        SHUT_DOWN,
        /** With SO_LINGER 0. */
        RESET,
        /** By a write without bytes of an interrupted thread. */
        EMPTY_WRITE,
        /** By a read after the end of the input of an interrupted thread. */
        ENDED_READ,
        /** Before the other side writes; what had come is there still. */
        EARLY;

        /** Whether the other side reads while the close waits. */
        private boolean mayLinger() {
            return this == CLOSE || this == WHILE_READING || this == READER_INTERRUPTED || this == SHUT_DOWN;
        }
    }

    static End draw(Random random) {
        How[] hows = How.values();
        How how = random.nextInt(3) == 0 ? How.CLOSE : hows[random.nextInt(hows.length)];
        int tail = switch (how) {
            case RESET, EMPTY_WRITE, ENDED_READ -> 0;
            case EARLY, WHILE_WRITING, WRITER_INTERRUPTED -> 1 + random.nextInt(SMALL);
            default -> random.nextBoolean() ? LARGE + random.nextInt(LARGE) : Phase.size(random, 17) - 1;
        };
        return new End(
                random.nextBoolean(),
                how,
                tail,
                how == How.SHUT_DOWN ? Phase.size(random, 16) : 0,
                random.nextBoolean() ? 0 : random.nextInt(LATE),
                how == How.RESET ? 0 : how.mayLinger() && random.nextBoolean() ? 2 + random.nextInt(4) : -1,
                random.nextBoolean(),
                random.nextInt(3) == 0);
    }
}
