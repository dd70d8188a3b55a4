// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocPdResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateQp;
import io.github.rdma4j.internal.mlx4.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.DoorbellWords;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.QueueTable;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** An open ConnectX-3 device: its doorbell page, the pages of doorbell records, and the queues by number. */
final class Mlx4Context implements DriverContext {
    /** The largest completion queue that the driver takes. */
    private static final int MOST_COMPLETIONS = 0x3fffff;

    private final Device device;
    private final ContextReply reply;
    private final Mlx4Doorbells doorbells;
    private final DoorbellRecords records;
    private final QueueTable<Mlx4QueueRings> queues = new QueueTable<>();

    /** The shared receive queues of XRC domains. */
    private final QueueTable<Mlx4SharedReceiveRing> xrcQueues = new QueueTable<>();

    private final Lock numberLock = new ReentrantLock();
    private final Ports ports;

    Mlx4Context(Device device, ContextReply reply, Mlx4Doorbells doorbells) {
        this.device = device;
        this.reply = reply;
        this.doorbells = doorbells;
        this.records = new DoorbellRecords(device, DoorbellWords.DISTANCE);
        this.ports = new Ports(device);
    }

    Mlx4Doorbells doorbells() {
        return doorbells;
    }

    QueueTable<Mlx4QueueRings> queues() {
        return queues;
    }

    QueueTable<Mlx4SharedReceiveRing> xrcQueues() {
        return xrcQueues;
    }

    Ports ports() {
        return ports;
    }

    /** Log2 of the bytes of a completion queue entry. */
    int entryShift() {
        return Integer.numberOfTrailingZeros(reply.entryBytes());
    }

    /** Zeroed pages that the device may reach. */
    RingMemory allocate(int bytes, String what) throws RdmaException {
        return device.allocate(bytes, what);
    }

    DoorbellWords takeRecord() throws RdmaException {
        return new DoorbellWords(records.take());
    }

    void release(DoorbellWords record, boolean destroyed) {
        records.release(record.slot(), destroyed);
    }

    /** Forgets {@code rings}, whose completions were removed: another queue pair may get their number. */
    void forget(Mlx4QueueRings rings) {
        queues.remove(rings.ends().qpn(), rings);
    }

    /** Forgets {@code shared}, an XRC queue whose completions were removed: another queue may get its number. */
    void forget(Mlx4SharedReceiveRing shared, int number) {
        xrcQueues.remove(number, shared);
    }

    /** The reply has the number that address vectors contain. */
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
        return RingSizes.toPowerOfTwo(wanted + 1) - 1;
    }

    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        return new CompletionQueueCreation(this, entries + 1);
    }

    /** The device needs at least one receive of at least one piece. */
    @Override
    public QpCap capacitiesToRequest(QpCap wanted) {
        boolean receives = wanted.maxReceiveWr() > 0 || wanted.maxReceiveSge() > 0;
        int least = receives ? 1 : 0;
        return new QpCap(
                wanted.maxSendWr(),
                Math.max(least, wanted.maxReceiveWr()),
                wanted.maxSendSge(),
                Math.max(least, wanted.maxReceiveSge()),
                wanted.maxInline());
    }

    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        return QueuePairCreation.prepare(this, request);
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) throws RdmaException {
        return new SharedReceiveQueueCreation(this, SharedReceiveSizes.of(maxWr, maxSge), null);
    }

    /** The kernel decides when the number of a queue is used again. */
    @Override
    public Lock queueNumberLock() {
        return numberLock;
    }

    @Override
    public boolean hasXrc() {
        return true;
    }

    /** The kernel makes no queue for a target, and reads nothing of the request. */
    @Override
    public DriverExchange xrcTarget() {
        return DriverExchange.of(CreateQp.BYTES, 0);
    }

    @Override
    public Creation<Created.Srq, SharedReceiveRing> xrcReceiveQueue(int maxWr, int maxSge, CompletionRing cq)
            throws RdmaException {
        return new SharedReceiveQueueCreation(this, SharedReceiveSizes.of(maxWr, maxSge), (Mlx4CompletionRing) cq);
    }

    /** The work requests contain all of the address, as for libmlx4. */
    @Override
    public boolean hasAddressHandleCommand() {
        return false;
    }

    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes) throws RdmaException {
        int pdn = pd.driverReply().getInt(AllocPdResp.PDN);
        Mlx4AddressVector address = ports.isEthernet(attributes)
                ? Mlx4AddressVector.ethernet(
                        pdn, attributes, device.vlan(attributes), device.hardwareAddress(attributes))
                : Mlx4AddressVector.infiniband(pdn, attributes);
        return Creation.of(0, granted -> address);
    }

    @Override
    public void close() {
        doorbells.retire();
        records.retire();
    }
}
