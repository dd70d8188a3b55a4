// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Doorbell;
import io.github.rdma4j.internal.bnxt.Elements.Header;
import io.github.rdma4j.internal.bnxt.Elements.Operations;
import io.github.rdma4j.internal.provider.CountedSendRing;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The send queue of a queue pair: a ring of slots. On some devices, an element takes as many slots as it needs and may
 * wrap around the end of the ring; on others, each element takes {@link Elements#FIXED_SLOTS}. The device takes
 * elements when the doorbell rings.
 */
final class BnxtSendRing extends CountedSendRing {
    private static final int SEND = WorkCompletionOpcode.SEND.code();
    private static final int WRITE = WorkCompletionOpcode.RDMA_WRITE.code();
    private static final int READ = WorkCompletionOpcode.RDMA_READ.code();
    private static final int COMP_SWAP = WorkCompletionOpcode.COMP_SWAP.code();
    private static final int FETCH_ADD = WorkCompletionOpcode.FETCH_ADD.code();

    private static final int P4 = 4;
    private static final int MOST_DATAGRAMS = 0x40_0000;

    private final ByteBuffer ring;
    private final LongBuffer words;
    private final int slots;
    private final boolean variable;
    private final boolean datagram;

    /** True if the device stops after {@link #MOST_DATAGRAMS}. */
    private final boolean stalls;

    private final boolean signalAll;
    private final PacketNumbers packets;
    private final SendLog log;
    private final Doorbells doorbells;
    private final long doorbell;

    /** The value of {@link #count()} when the queue pair left RESET. */
    private int begin;

    /** The slot of the next element, its name, and the lap bit of doorbells. */
    private int slot;

    private int name;
    private int epoch;

    /** The values of the fields above at the last publication. */
    private int publishedCount;

    private int publishedSlot;
    private int publishedName;
    private int publishedEpoch;

    /**
     * The properties of a send ring.
     *
     * @param sends the sizes
     * @param cap the limits of requests
     * @param datagram true for a queue pair of datagrams
     * @param signalAll true if every request completes, signaled or not
     * @param number the number of the queue pair
     */
    record Shape(Sizes.Sends sends, QpCap cap, boolean datagram, boolean signalAll, int number) {}

    /**
     * The destination of datagrams.
     *
     * @param id the device's number of the address handle, assigned by the kernel
     */
    record Address(int id) implements AddressVector {}

    /** Creates a ring at the start of {@code memory}. */
    BnxtSendRing(ByteBuffer memory, Shape shape, Sizes sizes, Doorbells doorbells) {
        super(new Capacities(
                shape.sends().requests(), shape.cap().maxSendSge(), shape.cap().maxInline()));
        Sizes.Sends sends = shape.sends();
        this.ring = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.words = ring.asLongBuffer();
        this.slots = sends.slots();
        this.variable = sizes.chip().variable();
        this.datagram = shape.datagram();
        this.stalls = datagram && sizes.chip().generation() == P4;
        this.signalAll = shape.signalAll();
        int behind = slots << Elements.SLOT_WORDS_SHIFT;
        LongBuffer numbers = words.slice(behind, sends.packets() * sizes.chip().packetBytes() / Long.BYTES);
        this.packets = new PacketNumbers(numbers, sizes, sends, !datagram);
        this.log = new SendLog(sends.names(), doneCounter());
        this.doorbells = doorbells;
        this.doorbell = Doorbells.of(Doorbell.SENDS, shape.number());
    }

    /** The log for the poller. */
    SendLog log() {
        return log;
    }

    PacketNumbers packets() {
        return packets;
    }

    @Override
    public void put(SendView request) {
        if (stalls && count() - begin == MOST_DATAGRAMS) {
            throw new IllegalStateException("the queue pair has sent " + MOST_DATAGRAMS
                    + " datagrams, after which a BCM574xx stops: move the queue pair to RESET, or use another");
        }
        int opcode = request.opcode();
        switch (opcode) {
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND -> putData(request, opcode, Operations.SEND, SEND);
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM ->
                putData(request, opcode, Operations.SEND_WITH_IMM, SEND);
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE -> putData(request, opcode, Operations.WRITE, WRITE);
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM ->
                putData(request, opcode, Operations.WRITE_WITH_IMM, WRITE);
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ -> putData(request, opcode, Operations.READ, READ);
            case WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP ->
                putAtomic(request, opcode, Operations.COMPARE_SWAP, COMP_SWAP);
            case WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD ->
                putAtomic(request, opcode, Operations.FETCH_ADD, FETCH_ADD);
            default ->
                throw new IllegalArgumentException("the provider of bnxt_re has no operation " + opcode
                        + ": no memory windows, no invalidation, no flush, no atomic write");
        }
    }

    /** The first word of slot {@code ahead} of the current element. */
    private int at(int ahead) {
        int index = slot + ahead;
        return (index >= slots ? index - slots : index) << Elements.SLOT_WORDS_SHIFT;
    }

    private long flags(SendView request) {
        int flags = request.flags();
        return (isSignaled(flags) ? Header.SIGNALED : 0)
                | ((flags & SendFlags.IBV_SEND_FENCE) == 0 ? 0 : Header.FENCE)
                | ((flags & SendFlags.IBV_SEND_SOLICITED) == 0 ? 0 : Header.SOLICITED);
    }

    private boolean isSignaled(int flags) {
        return signalAll || (flags & SendFlags.IBV_SEND_SIGNALED) != 0;
    }

    private void putData(SendView request, int opcode, int operation, int completesAs) {
        ByteBuffer inline = operation == Operations.READ ? null : request.inlineData();
        int length;
        int used;
        long header = operation | flags(request);
        if (inline == null) {
            int pieces = request.numSge();
            requireRoom(pieces, maxSge());
            used = Elements.HEADER_SLOTS + pieces;
            length = putPieces(request, pieces);
        } else {
            length = inline.remaining();
            requireRoom(length, maxInline());
            used = Elements.HEADER_SLOTS + ((length + Elements.SLOT - 1) >> Elements.SLOT_SHIFT);
            putInline(inline, length);
            header |= Header.INLINE;
        }
        if (operation == Operations.SEND_WITH_IMM || operation == Operations.WRITE_WITH_IMM) {
            header |= (long) request.immediate() << Integer.SIZE;
        }
        long second = Integer.toUnsignedLong(length);
        if (operation >= Operations.WRITE) {
            int at = at(1);
            words.put(at, request.remoteIova());
            words.put(at + 1, Integer.toUnsignedLong(request.rkey()));
        } else if (datagram) {
            second |= (long) request.remoteQkey() << Integer.SIZE;
            words.put(at(1), destination(request));
        }
        finish(request, header | (long) used << Header.SLOTS_SHIFT, second);
        finishElement(request, used, length, opcode, completesAs);
    }

    private static long destination(SendView request) {
        if (!(request.address() instanceof Address address)) {
            throw new IllegalArgumentException("a datagram without an address handle of the device");
        }
        return (long) address.id() << Integer.SIZE | Integer.toUnsignedLong(request.remoteQpn());
    }

    private int putPieces(SendView request, int pieces) {
        int length = 0;
        for (int i = 0; i < pieces; i++) {
            int bytes = request.length(i);
            length += bytes;
            int at = at(Elements.HEADER_SLOTS + i);
            words.put(at, request.iova(i));
            words.put(at + 1, (long) bytes << Integer.SIZE | Integer.toUnsignedLong(request.lkey(i)));
        }
        return length;
    }

    private void putInline(ByteBuffer data, int length) {
        int to = at(Elements.HEADER_SLOTS) << 3;
        int untilEnd = (slots << Elements.SLOT_SHIFT) - to;
        int first = Math.min(length, untilEnd);
        ring.put(to, data, data.position(), first);
        if (first < length) {
            ring.put(0, data, data.position() + first, length - first);
        }
    }

    private void putAtomic(SendView request, int opcode, int operation, int completesAs) {
        int pieces = request.numSge();
        requireRoom(pieces, 1);
        int length = putPieces(request, pieces);
        int at = at(1);
        boolean swaps = operation == Operations.COMPARE_SWAP;
        words.put(at, swaps ? request.swap() : request.compareAdd());
        if (swaps) {
            words.put(at + 1, request.compareAdd());
        }
        int used = Elements.HEADER_SLOTS + pieces;
        long header =
                operation | flags(request) | (long) used << Header.SLOTS_SHIFT | (long) request.rkey() << Integer.SIZE;
        finish(request, header, request.remoteIova());
        finishElement(request, used, length, opcode, completesAs);
    }

    private void finish(SendView request, long header, long second) {
        int at = slot << Elements.SLOT_WORDS_SHIFT;
        words.put(at, header);
        words.put(at + 1, second);
        log.remember(name, request.wrId());
    }

    /** Completes the current element. */
    private void finishElement(SendView request, int used, int length, int opcode, int completesAs) {
        packets.put(variable ? slot : name, length, opcode);
        log.put(name, length, completesAs, isSignaled(request.flags()));
        count(count() + 1);
        name = log.after(name);
        slot += variable ? used : Elements.FIXED_SLOTS;
        if (slot >= slots) {
            slot -= slots;
            epoch ^= 1;
        }
    }

    @Override
    public void discard() {
        count(publishedCount);
        slot = publishedSlot;
        name = publishedName;
        epoch = publishedEpoch;
        packets.discard();
    }

    @Override
    public int publish() {
        publishedCount = count();
        publishedSlot = slot;
        publishedName = name;
        publishedEpoch = epoch;
        packets.publish();
        log.publish(count());
        doorbells.ring(doorbell, variable ? slot : name, epoch);
        return 0;
    }

    /**
     * Restarts at the beginning of the ring, like the device; the lap bit and the table of packets continue, as in
     * libbnxt_re.
     */
    void reset() {
        discard();
        begin = count();
        slot = 0;
        name = 0;
        publishedSlot = 0;
        publishedName = 0;
        log.reset();
    }
}
