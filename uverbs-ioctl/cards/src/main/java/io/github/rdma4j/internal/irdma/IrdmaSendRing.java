// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Doorbells;
import io.github.rdma4j.internal.irdma.Elements.Header;
import io.github.rdma4j.internal.irdma.Elements.Operations;
import io.github.rdma4j.internal.provider.CountedSendRing;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * The send queue of a queue pair: a ring of quanta. An element takes 1 to 8 quanta within one chunk; the rest of a
 * chunk is filled with no-op elements.
 *
 * <p>The device reads on while it finds valid elements, even without a doorbell. Therefore {@link #put} writes invalid
 * elements, and {@link #publish} makes them valid, oldest first.
 */
final class IrdmaSendRing extends CountedSendRing {
    private final boolean datagram;
    private final boolean signalAll;
    private final SendSizes sizes;
    private final SendElements elements;
    private final SendLog log;
    private final DoorbellPage doorbells;
    private final int doorbell;

    /** The number of quanta put. */
    private int head;

    /** The value of {@link #count()} after the last request that always completes. */
    private int signaled;

    /** The values of the fields above at the last publication. */
    private int publishedCount;

    private int publishedHead;
    private int publishedSignaled;
    private long publishedValid;

    /**
     * The destination of datagrams.
     *
     * @param id the device's number of the address handle, assigned by the kernel
     */
    record Address(int id) implements AddressVector {}

    /** Creates a ring that fills {@code memory}, with a power of two of quanta. */
    IrdmaSendRing(
            ByteBuffer memory, SendSizes sizes, QueueIdentity identity, boolean signalAll, DoorbellPage doorbells) {
        super(sizes.capacities(memory.capacity() >> Elements.QUANTUM_SHIFT));
        this.sizes = sizes;
        this.datagram = identity.datagram();
        this.signalAll = signalAll;
        this.head = sizes.firstSends();
        this.publishedHead = head;
        // the kernel's elements belong to the first lap
        this.publishedValid = head == 0 ? 0 : Elements.VALID;
        this.elements = new SendElements(memory, sizes, publishedValid);
        this.log = new SendLog(memory.capacity() >> Elements.QUANTUM_SHIFT, head, doneCounter());
        this.doorbells = doorbells;
        this.doorbell = Elements.littleEndian(identity.qpn());
    }

    /** True if an element of the ring belongs to the kernel. */
    boolean isOfTheKernel(int quantum) {
        return quantum < sizes.firstSends();
    }

    /** The log for the poller. */
    SendLog log() {
        return log;
    }

    @Override
    public void put(SendView request) {
        int opcode = request.opcode();
        long header = switch (opcode) {
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE,
                    WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM,
                    WorkRequestOpcodes.IB_UVERBS_WR_SEND,
                    WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM,
                    WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV -> putData(request, opcode);
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ -> putRead(request);
            case WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP,
                    WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD -> putAtomic(request, opcode);
            case WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV -> putInvalidation(request);
            case WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW -> putBinding(request);
            default ->
                throw new IllegalArgumentException(
                        "the provider of irdma has no operation " + opcode + ": no flush, no atomic write");
        };
        int flags = request.flags();
        count(count() + 1);
        if (signalAll || (flags & SendFlags.IBV_SEND_SIGNALED) != 0) {
            header |= Header.SIGNALED;
            signaled = count();
        }
        if ((flags & SendFlags.IBV_SEND_FENCE) != 0) {
            header |= Header.FENCE;
        }
        elements.putHeader(header, elements.start() == publishedHead);
        log.put(elements.start(), elements.quanta(), request.wrId(), count());
        head = elements.start() + elements.quanta();
    }

    /** Begins an element of {@code quanta} after the last element. */
    private void begin(int quanta) {
        int room = elements.room(head);
        if (quanta > room) {
            for (; room > 0; room--) {
                elements.putNop(head, head == publishedHead);
                log.skip(head++);
            }
        }
        elements.begin(head, quanta);
    }

    private static boolean isSolicited(SendView request) {
        return (request.flags() & SendFlags.IBV_SEND_SOLICITED) != 0;
    }

    private static long operation(int operation) {
        return (long) operation << Header.OPERATION_SHIFT;
    }

    private long putData(SendView request, int opcode) {
        boolean writes = opcode <= WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM;
        boolean immediate = opcode == WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM
                || opcode == WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM;
        if (immediate) {
            requireImmediate(writes);
        }
        ByteBuffer inline = request.inlineData();
        long data = inline == null
                ? putPieces(request, request.numSge(), immediate, maxSge())
                : putInline(inline, immediate);
        if (immediate) {
            elements.putWord(0, Integer.toUnsignedLong(request.immediate()));
            data |= Header.IMMEDIATE;
        }
        return data | (writes ? putWrite(request) : putSend(request, opcode));
    }

    private void requireImmediate(boolean writes) {
        int needed = writes ? SendSizes.WRITES_IMMEDIATE : SendSizes.SENDS_IMMEDIATE;
        if ((sizes.capabilities() & needed) == 0) {
            throw new IllegalArgumentException("immediate data of "
                    + (writes ? "an RDMA write, which X722 does not send" : "a send, which iWARP does not have"));
        }
    }

    private long putWrite(SendView request) {
        elements.putWord(2, request.remoteIova());
        log.completesAs(SendLog.WRITE);
        return operation(isSolicited(request) ? Operations.WRITE_SOLICITED : Operations.WRITE)
                | Integer.toUnsignedLong(request.rkey());
    }

    private long putSend(SendView request, int opcode) {
        log.completesAs(SendLog.SEND);
        if (opcode == WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV) {
            elements.putWord(2, 0);
            int operation = isSolicited(request) ? Operations.SEND_SOLICITED_WITH_INV : Operations.SEND_WITH_INV;
            return operation(operation) | Integer.toUnsignedLong(request.invalidatedKey());
        }
        long send = operation(isSolicited(request) ? Operations.SEND_SOLICITED : Operations.SEND);
        if (!datagram) {
            elements.putWord(2, 0);
            return send;
        }
        if (!(request.address() instanceof Address address)) {
            throw new IllegalArgumentException("a datagram without an address handle of the device");
        }
        elements.putWord(2, (long) request.remoteQpn() << Integer.SIZE | Integer.toUnsignedLong(request.remoteQkey()));
        return send | address.id();
    }

    private long putRead(SendView request) {
        int most = sizes.maxReadSge();
        int pieces = request.numSge();
        if (pieces > most) {
            throw new IllegalArgumentException("an RDMA read into " + pieces
                    + " pieces of memory; the device reads into " + most + " on this queue pair");
        }
        long header = putPieces(request, pieces, false, most);
        elements.putWord(2, request.remoteIova());
        log.completesAs(SendLog.READ);
        return header | operation(Operations.READ) | Integer.toUnsignedLong(request.rkey());
    }

    private long putAtomic(SendView request, int opcode) {
        if (!sizes.atomics()) {
            throw new IllegalArgumentException(
                    "an atomic operation, which the device does not support: only generation 3 does, if PCIe supports atomics");
        }
        if (request.numSge() != 1) {
            throw new IllegalArgumentException(
                    "an atomic operation into " + request.numSge() + " pieces of memory; it takes 1");
        }
        boolean swaps = opcode == WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP;
        begin(2);
        elements.putAtomic(request, swaps);
        log.completesAs(swaps ? SendLog.COMPARE_SWAP : SendLog.FETCH_ADD);
        log.carries(0);
        return operation(swaps ? Operations.COMPARE_SWAP : Operations.FETCH_ADD)
                | 1L << Header.MORE_SHIFT
                | Integer.toUnsignedLong(request.rkey());
    }

    /**
     * Writes the pieces of an element, after immediate data if there are any; returns the header bits that describe
     * them.
     */
    private long putPieces(SendView request, int pieces, boolean immediate, int most) {
        requireRoom(pieces, most);
        int units = pieces + (immediate ? 1 : 0);
        int quanta = (units >> 1) + 1;
        requireRoom(quanta, sizes.chunk());
        begin(quanta);
        int length = 0;
        int to = immediate ? Elements.QUANTUM_WORDS : 0;
        for (int i = 0; i < pieces; i++) {
            int bytes = request.length(i);
            length += bytes;
            elements.putPiece(to, request.iova(i), bytes, request.lkey(i));
            to += to == 0 ? Elements.QUANTUM_WORDS : Elements.PIECE_WORDS;
        }
        log.carries(length);
        if (units == 0) {
            elements.putEmptyPiece(0);
            return 0;
        }
        if (!sizes.firstGeneration() && (units & 1) == 0) {
            elements.putEmptyPiece(to);
        }
        return (long) Pieces.more(sizes.generation(), units) << Header.MORE_SHIFT;
    }

    private long putInline(ByteBuffer inline, boolean immediate) {
        int length = inline.remaining();
        requireRoom(length, maxInline());
        if (immediate && sizes.firstGeneration()) {
            throw new IllegalArgumentException("immediate data with inline data, which X722 does not send");
        }
        begin(InlineData.quanta(sizes.firstGeneration(), length));
        elements.putInline(inline, length);
        log.carries(length);
        return Header.INLINE | (long) length << Header.INLINE_SHIFT;
    }

    private long putInvalidation(SendView request) {
        begin(1);
        elements.putInvalidated(request.invalidatedKey());
        log.completesAs(SendLog.INVALIDATE);
        log.carries(0);
        return operation(Operations.INVALIDATE);
    }

    private long putBinding(SendView request) {
        begin(1);
        log.completesAs(SendLog.BIND);
        log.carries(0);
        return operation(Operations.BIND) | elements.putBinding(request.binding(), sizes.atomics());
    }

    @Override
    public void discard() {
        elements.invalidate(publishedHead, head, publishedValid);
        count(publishedCount);
        head = publishedHead;
        signaled = publishedSignaled;
    }

    @Override
    public int publish() {
        log.publish(head, publishedCount);
        publishedCount = count();
        publishedSignaled = signaled;
        publishedValid = elements.valid();
        int at = publishedHead;
        if (at != head) {
            VarHandle.releaseFence();
            elements.makeFirstValid(at);
            for (at += log.quanta(at); at != head; at += log.quanta(at)) {
                VarHandle.releaseFence();
                elements.makeValid(at);
            }
        }
        publishedHead = head;
        doorbells.ring(Doorbells.SENDS, doorbell);
        return 0;
    }

    /** Called when the queue pair is moved to ERR. */
    void fail() {
        log.fail(publishedSignaled);
    }

    /** Discards the posted requests. */
    void reset() {
        log.reset(publishedCount);
    }
}
