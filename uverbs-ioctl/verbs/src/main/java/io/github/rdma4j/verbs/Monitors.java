// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

/** Waiting for a monitor whatever interrupts the thread. Allocates nothing. */
final class Monitors {
    private Monitors() {}

    /**
     * Waits until {@code monitor}, which the caller holds, is notified. Returns true if an interrupt ended the wait, or
     * may have, because there was no memory for its exception.
     */
    @SuppressWarnings("WaitNotInLoop") // the callers check again
    static boolean isInterruptedWhileWaiting(Object monitor) {
        try {
            monitor.wait();
            return false;
        } catch (InterruptedException | OutOfMemoryError e) {
            return true;
        }
    }

    /** Interrupts the current thread again. */
    static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
