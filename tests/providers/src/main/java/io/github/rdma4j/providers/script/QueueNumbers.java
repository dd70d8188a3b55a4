// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import java.util.Random;

/** The numbers that a kernel gives its queues; those of a random one, and of its packets, are about to need another bit, or to wrap. */
final class QueueNumbers {
    private static final int FIRST_CQN = 0x400;
    private static final int FIRST_QPN = 0x100;

    private static final int FEW = 40;
    private static final int LEAST = 0x40;
    private static final int SIXTEEN_BITS = 16;
    private static final int PACKET_BITS = 24;

    private final int bits;
    private int cqn;
    private int qpn;
    private int srqn;

    private QueueNumbers(int bits, int cqn, int qpn, int srqn) {
        this.bits = bits;
        this.cqn = cqn;
        this.qpn = qpn;
        this.srqn = srqn;
    }

    /** Those of a script that names none. */
    static QueueNumbers small() {
        return new QueueNumbers(Integer.SIZE - 1, FIRST_CQN, FIRST_QPN, LEAST);
    }

    /** Those of the words of a {@link #line}. */
    static QueueNumbers of(String[] words) {
        return new QueueNumbers(
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]));
    }

    int nextCqn() {
        int taken = cqn;
        cqn = after(taken);
        return taken;
    }

    int nextQpn() {
        int taken = qpn;
        qpn = after(taken);
        return taken;
    }

    int nextSrqn() {
        int taken = srqn;
        srqn = after(taken);
        return taken;
    }

    /** The kernel keeps the lowest for itself. */
    private int after(int number) {
        return number + 1L == 1L << bits ? LEAST : number + 1;
    }

    /** {@code numbers BITS CQN QPN SRQN PSN}: the first numbers, which begin anew after {@code BITS}. */
    static String line(Random random, int bits) {
        int completions = first(random, bits);
        int shared = first(random, bits);
        while (Math.abs(shared - completions) < FEW) {
            shared = first(random, bits); // the kernel of bnxt_re has pages by the numbers of both
        }
        return "numbers " + bits + " " + completions + " " + first(random, bits) + " " + shared + " "
                + (random.nextBoolean()
                        ? (1 << PACKET_BITS) - 1 - random.nextInt(FEW)
                        : random.nextInt(1 << PACKET_BITS));
    }

    private static int first(Random random, int bits) {
        int wrap = random.nextInt(3) == 0 ? SIXTEEN_BITS : bits;
        return random.nextInt(3) == 0
                ? LEAST + random.nextInt((1 << bits) - LEAST)
                : (1 << wrap) - 1 - random.nextInt(FEW);
    }
}
