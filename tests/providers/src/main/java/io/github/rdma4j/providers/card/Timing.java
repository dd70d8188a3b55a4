// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * When the device does what it has to do. A hostile device delays, batches, and serves the queues in any order, all of it
 * decided by a seed; the order within a queue is never changed.
 */
public final class Timing {
    private static final int BATCH = 4;
    private static final int DELAY = 6;
    private static final int SPOILED = 7;

    /** What a device does wrong. */
    public enum Defect {
        NONE,
        /** Each seventh message arrives with a bit turned. */
        TURNS_BITS,
        /** Answers are late, and what should wait for them does not. */
        IGNORES_FENCES
    }

    private final boolean hostile;
    private final long seed;
    private final Defect defect;
    private final Random random;
    private int messages;

    private Timing(boolean hostile, long seed, Defect defect) {
        this.hostile = hostile;
        this.seed = seed;
        this.defect = defect;
        this.random = new Random(seed);
    }

    /** Everything at once, queue by queue. */
    public static Timing prompt() {
        return new Timing(false, 0, Defect.NONE);
    }

    /** As it pleases {@code seed}. */
    public static Timing hostile(long seed) {
        return new Timing(true, seed, Defect.NONE);
    }

    /** A device that is broken, to show that its users find out. */
    public static Timing broken(Defect defect) {
        return new Timing(false, 0, defect);
    }

    /** Whether a queue is left alone in this step. */
    boolean skips() {
        return hostile && random.nextInt(3) == 0;
    }

    /** How many work requests of a queue are served in one go. */
    int batch() {
        return hostile ? 1 + random.nextInt(BATCH) : Integer.MAX_VALUE;
    }

    /** How many steps the answer of a peer takes. */
    int answerDelay() {
        return defect == Defect.IGNORES_FENCES ? DELAY : hostile ? random.nextInt(DELAY) : 0;
    }

    /** Whether a fenced request waits for the answers before it. */
    boolean keepsFences() {
        return defect != Defect.IGNORES_FENCES;
    }

    /** What arrives of a message. */
    byte[] carry(byte[] message) {
        if (defect == Defect.TURNS_BITS && ++messages % SPOILED == 0 && message.length > 0) {
            message[message.length - 1] ^= 1;
        }
        return message;
    }

    /** The order in which the queues are served. */
    <T> List<T> order(Iterable<T> queues) {
        List<T> ordered = new ArrayList<>();
        queues.forEach(ordered::add);
        if (hostile) {
            Collections.shuffle(ordered, random);
        }
        return ordered;
    }

    @Override
    public String toString() {
        return hostile ? "hostile timing of seed " + seed : "prompt timing, defect " + defect;
    }
}
