// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What a connection has carried. For each direction the connection has a lock, so one thread at a time counts, which needs no atomic
 * operation; any thread reads the counts without a lock.
 */
public final class Traffic {
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong stalls = new AtomicLong();
    private boolean stalled;

    /** A read has brought so many bytes. */
    public void read(long bytes) {
        add(read, bytes);
    }

    /**
     * A write has taken so many bytes.
     *
     * @param waits whether bytes are left for want of room that the peer grants; a repeated write that takes nothing is no other
     *     stall
     */
    public void wrote(long bytes, boolean waits) {
        add(written, bytes);
        if (waits && (bytes > 0 || !stalled)) {
            add(stalls, 1);
        }
        stalled = waits;
    }

    private static void add(AtomicLong count, long more) {
        count.setOpaque(count.getPlain() + more);
    }

    /** Adds the counts of a connection that has ended. */
    void add(Traffic ended) {
        add(read, ended.bytesRead());
        add(written, ended.bytesWritten());
        add(stalls, ended.stalls());
    }

    long bytesRead() {
        return read.getOpaque();
    }

    long bytesWritten() {
        return written.getOpaque();
    }

    long stalls() {
        return stalls.getOpaque();
    }
}
