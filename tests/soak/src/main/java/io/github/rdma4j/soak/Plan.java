// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * The faults of a run, one after another: rounds in which every kind comes once, in an order and with details that
 * nothing but the seed decides. Each fault has a separate generator, so that its details do not depend on earlier
 * faults.
 */
final class Plan {
    /** An odd number without a pattern; it separates the seeds of neighbouring faults. */
    private static final long STRIDE = 0x9e3779b97f4a7c15L;

    private final long seed;
    private final List<Fault> kinds;
    private final Deque<Fault> round = new ArrayDeque<>();
    private int rounds;
    private int number;

    /** A fault of the plan. */
    record Step(int number, Fault fault, Fault.Injection injection) {}

    Plan(long seed, List<Fault> kinds) {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a plan without faults");
        }
        this.seed = seed;
        this.kinds = List.copyOf(kinds);
    }

    Step next() {
        if (round.isEmpty()) {
            List<Fault> shuffled = new ArrayList<>(kinds);
            Collections.shuffle(shuffled, generator(--rounds));
            round.addAll(shuffled);
        }
        Fault fault = round.pop();
        return new Step(++number, fault, fault.plan(generator(number)));
    }

    /** Numbers are the same in every JDK: the algorithm of {@link Random} is part of its contract. */
    private Random generator(int index) {
        return new Random(seed + index * STRIDE);
    }
}
