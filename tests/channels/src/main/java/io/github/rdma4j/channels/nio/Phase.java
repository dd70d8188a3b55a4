// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import java.util.Random;

/** A part of a program that begins and ends when nothing is under way. */
sealed interface Phase {
    /** How many a message may take. */
    int CALLS = 50;

    /**
     * Both sides write and read at a time.
     *
     * @param count of the messages, and of the answers
     * @param message bytes of a message; 0 for no messages
     * @param answer bytes of an answer; 0 for no answers
     * @param takesTurns whether an answer waits for its message, and the next message for the answer
     * @param lateMillis how long the server waits before it reads
     * @param chunk bytes of a call
     * @param isVectored whether calls have several buffers
     */
    record Exchange(
            Mode client,
            Mode server,
            int count,
            int message,
            int answer,
            boolean takesTurns,
            int lateMillis,
            int chunk,
            boolean isVectored)
            implements Phase {}

    /** A side shuts its output down, and the other reads the end. */
    record HalfClose(boolean isByClient) implements Phase {}

    /** An exchange, in the directions that are open. */
    static Exchange exchange(Random random, boolean toServer, boolean toClient) {
        Mode[] modes = Mode.values();
        boolean takesTurns = toServer && toClient && random.nextBoolean();
        int count = 1 + random.nextInt(takesTurns ? 12 : 6);
        int message = toServer ? takesTurns && random.nextInt(3) == 0 ? 1 << 16 : size(random, 16) : 0;
        int answer = toClient ? (takesTurns && random.nextBoolean() ? 1 : size(random, 15)) : 0;
        return new Exchange(
                modes[random.nextInt(modes.length)],
                modes[random.nextInt(modes.length)],
                count,
                message,
                answer,
                takesTurns,
                random.nextInt(4) == 0 ? random.nextInt(60) : 0,
                Math.max(
                        Math.max(message, answer) / CALLS + 1,
                        takesTurns && random.nextBoolean() ? message : size(random, 16)),
                random.nextInt(4) == 0);
    }

    /** From 1 to {@code 1 << bits} bytes: as many small as large. */
    static int size(Random random, int bits) {
        return 1 + random.nextInt(1 << (1 + random.nextInt(bits)));
    }
}
