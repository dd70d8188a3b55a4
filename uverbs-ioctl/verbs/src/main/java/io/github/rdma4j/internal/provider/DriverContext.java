// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A provider's state for one open device: doorbell pages, doorbell records, and the queues by number.
 *
 * <p>Several threads may call the methods at the same time. A method that returns a {@link Creation} only prepares: it
 * computes sizes, and allocates and fills memory. The verbs then send the command, and call {@link Creation#finish} or
 * {@link Creation#abandon}.
 */
public interface DriverContext {
    /** The driver's part of ALLOC_PD, whose reply is in {@link Created.Pd}. */
    default DriverExchange protectionDomain() {
        return DriverExchange.NONE;
    }

    /** The driver's part of REG_MR. */
    default DriverExchange memoryRegion() {
        return DriverExchange.NONE;
    }

    /**
     * False if regions with on-demand paging are refused, whatever the kernel says of the device: its driver would
     * access other bytes than those of the region.
     */
    default boolean hasOnDemandPaging() {
        return true;
    }

    /** The driver's part of ALLOC_MW. */
    default DriverExchange memoryWindow() {
        return DriverExchange.NONE;
    }

    /** The driver's part of MODIFY_SRQ with a new limit. */
    default DriverExchange sharedReceiveLimit() {
        return DriverExchange.NONE;
    }

    /**
     * The number to request in CREATE_CQ for a queue that holds {@code wanted} completions.
     *
     * @param wanted at least 1
     */
    default int entriesToRequest(int wanted) {
        return wanted;
    }

    /**
     * The capacities to request in CREATE_QP for a queue pair that has at least those {@code wanted}, passed to {@link
     * #queuePair}. For drivers whose kernel passes the capacities to the device unchanged.
     */
    default QpCap capacitiesToRequest(QpCap wanted) {
        return wanted;
    }

    /** The number of receives to request in CREATE_SRQ for a queue that holds {@code wanted}. */
    default int receivesToRequest(int wanted) {
        return wanted;
    }

    /**
     * Prepares a completion queue.
     *
     * @param entries the result of {@link #entriesToRequest}
     */
    Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException;

    /** Prepares a queue pair. */
    Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException;

    /**
     * Prepares a shared receive queue.
     *
     * @param maxWr the least number of receives; the command requests the result of {@link #receivesToRequest}
     * @param maxSge the least number of scatter-gather entries of a receive
     */
    Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) throws RdmaException;

    /**
     * The lock that is held from before the command that creates or destroys a queue pair or a shared receive queue
     * until the provider has finished or retired the queue: for a driver whose completions identify a queue by a kernel
     * number that the kernel reuses at once. Without the lock, completions of the old queue could be taken for
     * completions of the new queue. Null for a driver that needs no lock.
     */
    default @Nullable Lock queueNumberLock() {
        return null;
    }

    /**
     * True if the provider implements XRC: {@link #queuePair} makes initiators, {@link #xrcTarget} and {@link
     * #xrcReceiveQueue} work. The kernel reports whether the device has XRC.
     */
    default boolean hasXrc() {
        return false;
    }

    /** The driver's part of CREATE_QP for a target of XRC, which has no queues. */
    default DriverExchange xrcTarget() throws RdmaException {
        throw new UnsupportedOperationException("the provider has no XRC");
    }

    /**
     * Prepares a shared receive queue of an XRC domain.
     *
     * @param maxWr the least number of receives; the command requests the result of {@link #receivesToRequest}
     * @param maxSge the least number of scatter-gather entries of a receive
     * @param cq the ring for the completions of receives, made by this context
     */
    default Creation<Created.Srq, SharedReceiveRing> xrcReceiveQueue(int maxWr, int maxSge, CompletionRing cq)
            throws RdmaException {
        throw new UnsupportedOperationException("the provider has no XRC");
    }

    /**
     * False if the driver's kernel has no CREATE_AH for programs. No command is then sent: {@link #addressHandle}
     * resolves the address, for example by {@link Device#hardwareAddress}, and is finished with {@link
     * Created.Ah#NONE}.
     */
    default boolean hasAddressHandleCommand() {
        return true;
    }

    /**
     * The lock that is held from before CREATE_AH until {@link #addressHandle} is finished or abandoned: for a driver
     * whose kernel replies in memory shared by all address handles of the context. Null for a driver that needs no
     * lock.
     */
    default @Nullable Lock addressHandleLock() {
        return null;
    }

    /**
     * Prepares an address handle.
     *
     * @param pd the protection domain, whose number some drivers put into address vectors
     */
    Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) throws RdmaException;

    /**
     * Releases everything. Called once, after all objects of the context are closed and before the device is closed.
     */
    default void close() {}

    /**
     * The properties of a new queue pair.
     *
     * @param type the transport type
     * @param cap the least capacities; those of the receive queue are 0 with {@code shared} and for XRC
     * @param signalAll every send completes, whether signaled or not ({@code sq_sig_all})
     * @param sendCq the ring for completions of sends, created by the same context
     * @param receiveCq the ring for completions of receives, created by the same context; may be {@code sendCq}; null
     *     for an initiator of XRC, which receives nothing
     * @param shared the shared receive queue, created by the same context; null if the queue pair has its own receive
     *     queue
     */
    record QueuePairRequest(
            QueuePairType type,
            QpCap cap,
            boolean signalAll,
            CompletionRing sendCq,
            @Nullable CompletionRing receiveCq,
            @Nullable SharedReceiveRing shared) {}
}
