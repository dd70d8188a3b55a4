// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An open device: its page of doorbells, the pages of doorbell records, and the queues by number. */
public abstract class ConnectxContext implements DriverContext {
    private final DeviceParts parts;
    private final DoorbellPage doorbells;
    private final int mostCompletions;
    private final int pdReplyBytes;
    private final Lock numberLock = new ReentrantLock();

    /**
     * Creates the context.
     *
     * @param mostCompletions the size of the largest completion queue
     * @param pdReplyBytes the size of the reply to ALLOC_PD
     */
    protected ConnectxContext(DeviceParts parts, DoorbellPage doorbells, int mostCompletions, int pdReplyBytes) {
        this.parts = parts;
        this.doorbells = doorbells;
        this.mostCompletions = mostCompletions;
        this.pdReplyBytes = pdReplyBytes;
    }

    protected final Ports ports() {
        return parts.ports();
    }

    /** The reply contains the number of the protection domain; the kernel fails without room for it. */
    @Override
    public final DriverExchange protectionDomain() {
        return DriverExchange.of(0, pdReplyBytes);
    }

    /** One entry stays free, and the number of entries is a power of two. */
    @Override
    public final int entriesToRequest(int wanted) {
        if (wanted > mostCompletions) {
            throw new IllegalArgumentException(
                    "a completion queue of " + wanted + " entries; it has 1 to " + mostCompletions);
        }
        return RingMath.toPowerOfTwo(wanted + 1) - 1;
    }

    /** Required because the kernel decides when a queue number is reused. */
    @Override
    public @Nullable Lock queueNumberLock() {
        return numberLock;
    }

    @Override
    public final boolean hasXrc() {
        return true;
    }

    @Override
    public final Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge)
            throws RdmaException {
        return sharedReceives(maxWr, maxSge, null);
    }

    @Override
    public final Creation<Created.Srq, SharedReceiveRing> xrcReceiveQueue(int maxWr, int maxSge, CompletionRing cq)
            throws RdmaException {
        return sharedReceives(maxWr, maxSge, cq);
    }

    /** Prepares the queue; {@code cq} is the completion queue of an XRC queue, null for other queues. */
    protected abstract Creation<Created.Srq, SharedReceiveRing> sharedReceives(
            int maxWr, int maxSge, @Nullable CompletionRing cq) throws RdmaException;

    @Override
    public final void close() {
        doorbells.retire();
        parts.records().retire();
    }
}
