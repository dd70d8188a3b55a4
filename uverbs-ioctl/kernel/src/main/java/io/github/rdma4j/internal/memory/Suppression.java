// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import java.util.Objects;

/** Keeps the second of two failures with the first. */
public final class Suppression {
    private Suppression() {}

    /**
     * Loads this class; the caller names the other classes that its handling of failures needs, and naming loads them.
     * A thread that must outlive a lack of memory calls this method before it begins: a class cannot be loaded when the
     * heap is full, and the first failure may come just then.
     */
    public static void prepare(Class<?>... named) {
        for (Class<?> each : named) {
            Objects.requireNonNull(each);
        }
    }

    /**
     * Adds {@code also} to the suppressed exceptions of {@code thrown}. Does nothing when the heap has no room for the
     * addition, because a report of a failure must not fail itself, or when the two are the same.
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
