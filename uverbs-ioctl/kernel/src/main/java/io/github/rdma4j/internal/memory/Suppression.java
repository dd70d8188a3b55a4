// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

/** Keeps the second of two failures with the first. */
public final class Suppression {
    private Suppression() {}

    /**
     * Adds {@code also} to the suppressed exceptions of {@code thrown}. Does nothing when the heap has no room for the addition,
     * because a report of a failure must not fail itself, or when the two are the same.
     */
    public static void add(Throwable thrown, Throwable also) {
        if (also == thrown) {
            return;
        }
        try {
            thrown.addSuppressed(also);
        } catch (OutOfMemoryError noRoom) {
            // The first failure is the one that counts.
        }
    }
}
