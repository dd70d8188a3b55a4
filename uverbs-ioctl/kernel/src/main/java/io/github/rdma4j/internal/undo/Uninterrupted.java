// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.undo;

import io.github.rdma4j.kernel.RdmaException;

/** Waits that an interrupt does not end, as in a C program. */
public final class Uninterrupted {
    private Uninterrupted() {}

    /** An interruptible wait. */
    public interface Wait<T> {
        /**
         * Waits for at most {@code left} nanoseconds from {@code now}, or without limit for {@link Long#MAX_VALUE}.
         *
         * @param left 0 or less to check without waiting
         */
        T await(long now, long left) throws RdmaException, InterruptedException;
    }

    /**
     * Waits, and after an interrupt continues for the remaining time. Reads the clock once unless interrupted.
     * Afterwards, the thread's interrupt status is set if an interrupt was pending or came.
     *
     * @param limit nanoseconds; {@link Long#MAX_VALUE} for no limit
     */
    public static <T> T await(long limit, Wait<T> wait) throws RdmaException {
        boolean limited = limit != Long.MAX_VALUE;
        long start = limited ? System.nanoTime() : 0;
        long now = start;
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return wait.await(now, limit - (now - start));
                } catch (InterruptedException e) {
                    interrupted = true;
                    now = limited ? System.nanoTime() : start;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
