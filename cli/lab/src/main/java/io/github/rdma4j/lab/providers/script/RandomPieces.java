// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.script;

import java.util.Random;

/**
 * The flags and the pieces of memory of random requests, as words of a line.
 *
 * @param random makes them up
 */
record RandomPieces(Random random) {
    private static final int DATA_BYTES = 1 << 19;

    /** Signaled, solicited and fenced at random; data inside the request when {@code inline} says so. */
    String flags(boolean inline) {
        StringBuilder flags = new StringBuilder(random.nextInt(3) == 0 ? "" : "s");
        flags.append(random.nextInt(4) == 0 ? "o" : "").append(random.nextInt(4) == 0 ? "f" : "");
        return flags.append(inline ? "i" : "")
                .append(flags.length() == 0 ? "-" : "")
                .toString();
    }

    /** A piece of at least {@code shortest} bytes and less than {@code bound}. */
    String one(int shortest, int bound) {
        int length = shortest + random.nextInt(Math.max(1, bound - shortest));
        return random.nextInt(DATA_BYTES) + ":" + length + ":" + Integer.toHexString(random.nextInt());
    }

    /** Pieces that follow each other, each behind a space; some have the {@code shortest} length. */
    String many(int count, int shortest) {
        StringBuilder pieces = new StringBuilder();
        for (int i = 0; i < count; i++) {
            pieces.append(' ').append(one(random.nextInt(5) == 0 ? shortest : 1, 5000));
        }
        return pieces.toString();
    }
}
