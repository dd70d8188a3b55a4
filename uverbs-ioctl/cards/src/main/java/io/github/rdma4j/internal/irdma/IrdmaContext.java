// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Shadow;
import io.github.rdma4j.internal.irdma.IrdmaAbi.AllocPdResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateAhResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCq;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateSrq;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateSrqResp;
import io.github.rdma4j.internal.irdma.RegisteredMemory.Parts;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueHandles;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;

/**
 * An open device: its doorbells, the protection domain of its rings, and the queue pairs by their identity in
 * completions.
 *
 * @param parts the parts of the device
 */
record IrdmaContext(IrdmaParts parts) implements DriverContext {
    private static final DriverExchange NEW_DOMAIN = DriverExchange.of(0, AllocPdResp.BYTES);

    static IrdmaContext open(Device device, Attributes attributes) throws RdmaException {
        DoorbellPage doorbells = device.mapDoorbells(attributes.doorbells(), Elements.PAGE, "irdma doorbell page");
        return Undo.onFailure(
                () -> new IrdmaContext(new IrdmaParts(
                        device,
                        attributes,
                        new Sizes(attributes),
                        doorbells,
                        device.allocatePd(NEW_DOMAIN),
                        new QueueHandles<>())),
                doorbells::retire);
    }

    @Override
    public DriverExchange protectionDomain() {
        return NEW_DOMAIN;
    }

    @Override
    public DriverExchange memoryRegion() {
        return RegisteredMemory.Parts.OF_PROGRAM;
    }

    @Override
    public int entriesToRequest(int wanted) {
        return parts.sizes().completions(wanted);
    }

    @Override
    public QpCap capacitiesToRequest(QpCap wanted) {
        return parts.sizes().toRequest(wanted);
    }

    /** The shadow area is behind the ring, or in separate memory if the ring can be replaced. */
    @Override
    public Creation<Created.Cq, CompletionRing> completionQueue(int entries) throws RdmaException {
        int bytes = CompletionEntries.bytes(entries, parts.wideCompletions());
        boolean replaceable = parts.attributes().has(Attributes.RESIZES);
        RegisteredMemory ring = parts.take(replaceable ? bytes : bytes + Shadow.BYTES, Parts.completions(bytes));
        CompletionShadow shadow = Undo.onFailure(
                () -> replaceable
                        ? CompletionShadow.in(parts.take(Shadow.BYTES, Parts.completions(Elements.PAGE)))
                        : CompletionShadow.behind(ring, bytes),
                () -> ring.release(true));
        return Creation.of(
                DriverExchange.of(CreateCq.BYTES, CreateCqResp.BYTES, request -> {
                    request.putAddress(CreateCq.USER_CQ_BUF, ring.memory(), 0);
                    request.putAddress(
                            CreateCq.USER_SHADOW_AREA, shadow.memory().memory(), shadow.offset());
                }),
                granted -> {
                    int size = granted.driverReply().getInt(CreateCqResp.CQ_SIZE);
                    // some kernels omit the size, which is the requested one
                    requireSize("irdma_create_cq_resp, cq_size", size == 0 ? entries : size, entries);
                    int number = granted.driverReply().getInt(CreateCqResp.CQ_ID);
                    CompletionEntries first = new CompletionEntries(ring, entries, parts.wideCompletions());
                    return new IrdmaCompletionRing(parts, first, shadow, number);
                },
                destroyed -> {
                    ring.release(destroyed);
                    shadow.release(destroyed);
                });
    }

    /** In the replies to CREATE_CQ and CREATE_SRQ, the size is at the same place. */
    private static void requireSize(String what, int size, int asked) throws MalformedReplyException {
        if (size != asked) {
            throw new MalformedReplyException(
                    what + " " + size + " where " + asked + " was asked for", CreateCqResp.CQ_SIZE, CreateCqResp.BYTES);
        }
    }

    @Override
    public Creation<Created.Qp, QueueRings> queuePair(QueuePairRequest request) throws RdmaException {
        boolean datagrams =
                request.type() == QueuePairType.UD && !parts.device().isIwarp();
        if (request.type() != QueuePairType.RC && !datagrams) {
            throw new UnsupportedByKernelException("the device has "
                    + (parts.device().isIwarp()
                            ? "reliable connected queue pairs only, because it runs iWARP"
                            : "queue pairs of types RC and UD only")
                    + "; no " + request.type());
        }
        return new QueuePairCreation(parts, request).prepare();
    }

    /** The shadow area is behind the pages of the ring. The kernel computes the same number of elements. */
    @Override
    public Creation<Created.Srq, SharedReceiveRing> sharedReceiveQueue(int maxWr, int maxSge) throws RdmaException {
        // the second half of an entry identifies the queue pair
        if (!parts.attributes().has(Attributes.SHARES_RECEIVES) || !parts.wideCompletions()) {
            throw new UnsupportedByKernelException(
                    "irdma has no shared receive queues before generation 3 of the device");
        }
        int elements = parts.sizes().sharedElements(maxWr, maxSge);
        int shift = Sizes.sharedShift(maxSge);
        int ringBytes = elements << shift << Elements.QUANTUM_SHIFT;
        int shadowAt = Sizes.pages(ringBytes);
        RegisteredMemory memory = parts.take(shadowAt + Shadow.BYTES, Parts.shared(shadowAt));
        return Creation.of(
                DriverExchange.of(CreateSrq.BYTES, CreateSrqResp.BYTES, request -> {
                    request.putAddress(CreateSrq.USER_SRQ_BUF, memory.memory(), 0);
                    request.putAddress(CreateSrq.USER_SHADOW_AREA, memory.memory(), shadowAt);
                }),
                granted -> {
                    int size = granted.driverReply().getInt(CreateSrqResp.SRQ_SIZE);
                    requireSize("irdma_create_srq_resp, srq_size", size, elements);
                    ByteBuffer ring = memory.memory().buffer().slice(0, ringBytes);
                    int generation = parts.attributes().generation();
                    ReceiveElements of = new ReceiveElements(ring, shift, maxSge, generation);
                    return new IrdmaSharedReceiveRing(memory, of, elements, shadowAt);
                },
                memory::release);
    }

    /** The kernel resolves the address, and returns the device's number of it. */
    @Override
    public Creation<Created.Ah, AddressVector> addressHandle(Created.Pd pd, AhAttr attributes)
            throws UnsupportedByKernelException {
        if (parts.device().isIwarp()) {
            throw new UnsupportedByKernelException(
                    "the device runs iWARP, which has no datagrams and no address handles");
        }
        return Creation.of(
                CreateAhResp.BYTES,
                granted -> new IrdmaSendRing.Address(
                        granted.driverReply().getInt(CreateAhResp.AH_ID) & Elements.Header.ADDRESS_MASK));
    }

    @Override
    public void close() {
        parts.doorbells().retire();
        parts.domain().release();
    }
}
