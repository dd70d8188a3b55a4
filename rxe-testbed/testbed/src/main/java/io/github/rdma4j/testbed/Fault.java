// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A fault of a testbed that lasts until it is closed. A second close does nothing; so does a close after that of the
 * testbed. Thread-safe.
 */
final class Fault implements Closeable {
    /** Takes the fault back. */
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
     * Takes the fault back, and returns when that is done. Works in a thread that has been interrupted before, too. After an
     * exception the fault can be closed again.
     *
     * @throws IOException if the node that has the fault has failed, or if its kernel refuses
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
