// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocPdResp;
import io.github.rdma4j.internal.mlx5.QueuePairCreation.TargetRequest;
import io.github.rdma4j.internal.mlx5.RingSizes.QueueLimits;
import io.github.rdma4j.internal.mlx5.RingSizes.Rounding;
import io.github.rdma4j.internal.mlx5.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.QueueTable;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An open ConnectX device: its doorbell pages, the page of doorbell records, and the queue pairs by number. */
final class Mlx5Context implements DriverContext {
    /** The largest completion queue; the consumer index has 24 bits. */
    private static final int MOST_COMPLETIONS = (1 << 24) - 1;

    private final Device device;
    private final ContextReply reply;
    private final Mlx5Doorbells doorbells;
    private final DoorbellRecords records;

    /** By user index, or by queue pair number with CQE version 0. */
    private final QueueTable<Mlx5QueueRings> queues = new QueueTable<>();

    /** Of XRC, by user index, or by their own number with CQE version 0. */
    private final QueueTable<Mlx5SharedReceiveRing> xrcQueues = new QueueTable<>();

    private final UserIndexes indexes = new UserIndexes();
    private final Lock numberLock = new ReentrantLock();
    private final Ports ports;

    Mlx5Context(Device device, ContextReply reply, Mlx5Doorbells doorbells) {
        this.device = device;
        this.reply = reply;
        this.doorbells = doorbells;
        this.records = new DoorbellRecords(device, DoorbellWords.DISTANCE);
        this.ports = new Ports(device);
    }

    Mlx5Doorbells doorbells() {
        return doorbells;
    }

    QueueTable<Mlx5QueueRings> queues() {
        return queues;
    }

    QueueTable<Mlx5SharedReceiveRing> xrcQueues() {
        return xrcQueues;
    }

    int cqeVersion() {
        return reply.cqeVersion();
    }

    QueueLimits limits() {
        return reply.limits();
    }

    /** Zeroed pages that the device may reach. */
    RingMemory allocate(int bytes, String what) throws RdmaException {
        return device.allocate(Math.max(1, bytes), what);
    }

    DoorbellWords takeRecord() throws RdmaException {
        return new DoorbellWords(records.take());
    }

    void release(DoorbellWords record, boolean destroyed) {
        records.release(record.slot(), destroyed);
    }

    /** A user index for a new queue pair, or a new shared receive queue of XRC. */
    int takeIndex() {
        return cqeVersion() == 0 ? UserIndexes.NONE : indexes.take();
    }

    void releaseIndex(int index) {
        indexes.release(index);
    }

    /** Forgets {@code rings}, whose completions were removed: another queue pair may get their number. */
    void forget(Mlx5QueueRings rings) {
        queues.remove(rings.ends().number(), rings);
        if (cqeVersion() != 0) {
            indexes.release(rings.ends().number());
        }
    }

    /** Forgets {@code shared}, an XRC queue whose completions were removed: another queue may get its number. */
    void forget(Mlx5SharedReceiveRing shared, int number) {
        xrcQueues.remove(number, shared);
        if (cqeVersion() != 0) {
            indexes.release(number);
        }
    }

    /** The kernel fails if there is no room for its reply, a number that is not used. */
    @Override
    public DriverExchange protectionDomain() {
        return DriverExchange.of(0, AllocPdResp.BYTES);
    }

    /** One entry stays free, and the number of entries is a power of two. */
    @Override
    public int entriesToRequest(int wanted) {
        if (wanted > MOST_COMPLETIONS) {
            throw new IllegalArgumentException(
                    "a completion queue of " + wanted + " entries; it has 1 to " + MOST_COMPLETIONS);
        }
        return Rounding.toPowerOfTwo(wanted + 1) - 1;
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        return CompletionQueueCreation.prepare(this, entries + 1);
    }

    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        return QueuePairCreation.prepare(this, request);
    }

    @Override
    public int receivesToRequest(int wanted) {
        return SharedReceiveSizes.of(wanted, 1, limits()).toRequest();
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) throws RdmaException {
        return SharedReceiveQueueCreation.prepare(this, SharedReceiveSizes.of(maxWr, maxSge, limits()), null);
    }

    /**
     * The provider decides when a user index is reused; the kernel decides when a queue number is reused.
     */
    @Override
    public @Nullable Lock queueNumberLock() {
        return cqeVersion() == 0 ? numberLock : null;
    }

    @Override
    public boolean hasXrc() {
        return true;
    }

    /** The kernel reads only the user index, which must be valid. No completion has this index. */
    @Override
    public DriverExchange xrcTarget() {
        return new TargetRequest(cqeVersion() == 0 ? UserIndexes.NONE : 0);
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> xrcReceiveQueue(int maxWr, int maxSge, CompletionRing cq)
            throws RdmaException {
        SharedReceiveSizes sizes = SharedReceiveSizes.of(maxWr, maxSge, limits());
        return SharedReceiveQueueCreation.prepare(this, sizes, (Mlx5CompletionRing) cq);
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) throws RdmaException {
        boolean ethernet = ports.isEthernet(attributes);
        if (ethernet && !reply.tellsMac()) {
            throw new UnsupportedByKernelException("mlx5 of this kernel does not resolve the MAC address of an address"
                    + " handle: datagrams over RoCE need Linux 4.10 or newer");
        }
        return new AddressCreation(attributes, ethernet, ethernet && ports.isUdp(attributes));
    }

    @Override
    public void close() {
        doorbells.retire();
        records.retire();
    }
}
