// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A fault of a testbed that lasts until it is closed. A second close does nothing; so does a close after that of the
 * testbed. Thread-safe.
 */
public final class Fault implements AutoCloseable {
    /** Takes the fault back. */
    interface Remedy {
        void apply() throws IOException, InterruptedException;
    }

    private final String name;
    private final Remedy remedy;
    private final AtomicBoolean closed = new AtomicBoolean();

    Fault(String name, Remedy remedy) {
        this.name = name;
        this.remedy = remedy;
    }

    /**
     * Takes the fault back, and returns when that is done.
     *
     * @throws IOException if the node that has the fault has failed, or if its kernel refuses
     */
    @Override
    public void close() throws IOException {
        if (closed.compareAndSet(false, true)) {
            try {
                remedy.apply();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
