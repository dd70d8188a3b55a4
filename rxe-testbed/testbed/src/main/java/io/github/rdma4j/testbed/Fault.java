// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A fault of a testbed, which lasts until it is closed. A second close does nothing, nor does a close after the testbed
 * has been closed. Thread-safe.
 */
final class Fault implements Closeable {
    /** Ends the fault. */
    interface Remedy {
        void apply() throws IOException, InterruptedException;
    }

    private final String name;
    private final Remedy remedy;
    private final ReentrantLock closing = new ReentrantLock();
    private boolean closed;

    Fault(String name, Remedy remedy) {
        this.name = name;
        this.remedy = remedy;
    }

    /**
     * Ends the fault, and returns when the fault has ended. An earlier interruption of the thread does not matter.
     * After an exception the fault can be closed again.
     *
     * @throws IOException if the node of the fault has failed, or if its kernel refuses
     */
    @Override
    public void close() throws IOException {
        boolean interrupted = Thread.interrupted();
        closing.lock();
        try {
            if (!closed) {
                remedy.apply();
                closed = true;
            }
        } catch (InterruptedException e) {
            interrupted = true;
            throw new InterruptedIOException("interrupted; close the fault again: " + name);
        } finally {
            closing.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
