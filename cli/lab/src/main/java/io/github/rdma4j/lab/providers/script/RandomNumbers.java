// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.script;

import java.util.Random;

/** The numbers that a random kernel gives its queues, and those of packets: many are about to need another bit, or to wrap. */
final class RandomNumbers {
    private static final int FEW = 40;
    private static final int LEAST = 0x40;
    private static final int SIXTEEN_BITS = 16;
    private static final int PACKET_BITS = 24;

    private RandomNumbers() {}

    /** {@code numbers BITS CQN QPN SRQN PSN}: the first numbers, which begin anew after {@code BITS}. */
    static String line(Random random, int bits) {
        int completions = first(random, bits);
        int shared = first(random, bits);
        while (Math.abs(shared - completions) < FEW) {
            shared = first(random, bits); // the kernel of bnxt_re has pages by the numbers of both
        }
        return "numbers " + bits + " " + completions + " " + first(random, bits) + " " + shared + " "
                + (random.nextBoolean() ? (1 << PACKET_BITS) - 1 - random.nextInt(FEW) : random.nextInt(1 << PACKET_BITS));
    }

    private static int first(Random random, int bits) {
        int wrap = random.nextInt(3) == 0 ? SIXTEEN_BITS : bits;
        return random.nextInt(3) == 0 ? LEAST + random.nextInt((1 << bits) - LEAST) : (1 << wrap) - 1 - random.nextInt(FEW);
    }

    /** The {@code count}th number from {@code first} on; the kernel keeps the lowest for itself. */
    static int after(int first, int count, int bits) {
        long number = (long) first + count;
        return (int) (number >= 1L << bits ? number - (1L << bits) + LEAST : number);
    }
}
