// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

/** Keeps the second of two failures with the first. */
public final class Suppression {
    private Suppression() {}

    /**
     * Loads this class and initializes the other classes that the caller's handling of failures needs. A thread that
     * must outlive a lack of memory calls this method before it begins: a class cannot be loaded when the heap is full,
     * and a class whose initialization fails is missing for ever.
     */
    public static void prepare(Class<?>... named) {
        for (Class<?> each : named) {
            try {
                Class.forName(each.getName(), true, each.getClassLoader());
            } catch (ClassNotFoundException e) {
                throw new LinkageError("the loader of " + each + " does not find the class", e);
            }
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
