// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs programs over TCP, and over each transport that has to show the same.
 *
 * @param <T> what a program runs on
 * @param oracle TCP
 * @param compared the others
 */
public record Comparison<T>(T oracle, List<T> compared) {
    /** How often a program runs again when a limit of time may have counted. */
    private static final int AGAIN = 3;

    /** A race shows seldom. */
    private static final int ATTEMPTS = 6;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /**
     * What the runs of a program say.
     *
     * @param difference null if there is none
     * @param isLeftOut whether the lines differ, and time may be why
     */
    public record Verdict(@Nullable Difference difference, boolean isLeftOut) {}

    /** Runs a program everywhere. */
    public Verdict verdict(Program<T> program) throws InterruptedException {
        Outcome right = counting(program, oracle);
        boolean isLeftOut = false;
        for (T transport : compared) {
            Outcome found = counting(program, transport);
            if (found.lines().equals(right.lines())) {
                continue;
            }
            // Who failed differs from who was slow, too.
            if (found.isFailed() || right.isFailed() || (found.isTimely() && right.isTimely())) {
                return new Verdict(Difference.of(oracle.toString(), right, transport.toString(), found), false);
            }
            isLeftOut = true;
        }
        return new Verdict(null, isLeftOut);
    }

    private static <T> Outcome counting(Program<T> program, T transport) throws InterruptedException {
        Outcome outcome = program.run(transport);
        for (int i = 1; i < AGAIN && !outcome.counts(); i++) {
            outcome = program.run(transport);
        }
        return outcome;
    }

    /** A smaller program that shows a difference of the same kind, and the difference; the program itself if none does. */
    public Map.Entry<Program<T>, Difference> shrunk(Program<T> program, Difference difference)
            throws InterruptedException {
        Program<T> smallest = program;
        Difference shown = difference;
        Deque<Program<T>> candidates = new ArrayDeque<>(program.smaller());
        long start = System.nanoTime();
        while (!candidates.isEmpty()) {
            Program<T> candidate = candidates.pop();
            for (int i = 0; i < ATTEMPTS && System.nanoTime() - start < LIMIT.toNanos(); i++) {
                Difference again = verdict(candidate).difference();
                if (again != null && again.kind().equals(difference.kind())) {
                    smallest = candidate;
                    shown = again;
                    candidates = new ArrayDeque<>(candidate.smaller());
                    break;
                }
            }
        }
        return Map.entry(smallest, shown);
    }
}
