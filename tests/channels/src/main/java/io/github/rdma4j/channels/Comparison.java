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

    /** The difference that a program shows; null if there is none. */
    public @Nullable Difference difference(Program<T> program) throws InterruptedException {
        Outcome right = timely(program, oracle);
        for (T transport : compared) {
            Outcome found = timely(program, transport);
            if (found.isTimely() && right.isTimely() && !found.lines().equals(right.lines())) {
                return Difference.of(oracle.toString(), right, transport.toString(), found);
            }
        }
        return null;
    }

    private static <T> Outcome timely(Program<T> program, T transport) throws InterruptedException {
        Outcome outcome = program.run(transport);
        for (int i = 1; i < AGAIN && !outcome.isTimely(); i++) {
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
                Difference again = difference(candidate);
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
