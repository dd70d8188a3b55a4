// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Device.Doorbell;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SendView.BindView;
import io.github.rdma4j.internal.rxe.RxeAbi.CreateAhResp;
import io.github.rdma4j.internal.rxe.RxeAbi.DmaInfo;
import io.github.rdma4j.internal.rxe.RxeAbi.FlushWqe;
import io.github.rdma4j.internal.rxe.RxeAbi.SendWqe;
import io.github.rdma4j.internal.rxe.RxeAbi.Sge;
import io.github.rdma4j.internal.uverbs.WorkRequests.RecentOpcodes;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.Objects;

/** The send queue of a soft-RoCE queue pair: the process produces work queue elements, the kernel consumes. */
final class RxeSendRing implements SendRing {
    // Word indexes, relative to the start of a slot.
    private static final int OPCODE = Words.index(SendWqe.RESERVED);
    private static final int FLAGS = Words.index(SendWqe.SEND_FLAGS);
    private static final int UNION = Words.index(SendWqe.WR);
    private static final int UNION_WORDS = Words.index(SendWqe.UD_AV - SendWqe.WR);
    private static final int RKEY = Words.index(SendWqe.RDMA_RKEY);
    private static final int AH_NUM = Words.index(SendWqe.UD_PKEY_INDEX);
    private static final int COMPARE_ADD = Words.index(SendWqe.ATOMIC_COMPARE_ADD);
    private static final int SWAP = Words.index(SendWqe.ATOMIC_SWAP);
    private static final int ATOMIC_RKEY = Words.index(SendWqe.ATOMIC_RKEY);
    private static final int STATUS = Words.index(SendWqe.STATUS);
    private static final int IOVA = Words.index(SendWqe.IOVA);
    private static final int MASK = Words.index(SendWqe.MASK);
    private static final int LAST_PSN = Words.index(SendWqe.LAST_PSN);
    private static final int SSN = Words.index(SendWqe.SSN);
    private static final int LENGTHS = Words.index(SendWqe.DMA + DmaInfo.LENGTH);
    private static final int NUM_SGE = Words.index(SendWqe.DMA + DmaInfo.CUR_SGE);
    private static final int SGE_OFFSET = Words.index(SendWqe.DMA + DmaInfo.SGE_OFFSET);
    private static final int SGE = Words.index(SendWqe.DMA + DmaInfo.SGE);
    private static final int SGE_WORDS = Words.index(Sge.BYTES);

    private final RxeQueue queue;
    private final LongBuffer words;
    private final QpCap cap;
    private final Doorbell doorbell;
    private final boolean datagram;
    private int tail;

    /** The index of the first unpublished request. */
    private int published;

    /** Creates a ring over {@code queue}; {@code datagram} is true if each work request names its destination. */
    RxeSendRing(RxeQueue queue, QpCap cap, boolean datagram, Doorbell doorbell) {
        this.queue = queue;
        this.words = Words.of(queue.memory());
        this.datagram = datagram;
        this.cap = cap;
        this.doorbell = doorbell;
        this.tail = queue.producer();
        this.published = tail;
    }

    @Override
    public int capacity() {
        return queue.capacity();
    }

    @Override
    public int maxSge() {
        return cap.maxSendSge();
    }

    @Override
    public int maxInline() {
        return cap.maxInline();
    }

    @Override
    public boolean isFull(int limit) {
        return queue.distance(queue.consumer(), tail) >= limit;
    }

    @Override
    public void put(SendView request) {
        int wqe = queue.slot(tail);
        int at = Words.index(wqe);
        clear(at);
        words.put(at, request.wrId());
        words.put(at + OPCODE, Words.pair(0, request.opcode()));
        boolean common = request.opcode() < WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV;
        words.put(at + FLAGS, Words.pair(request.flags(), common ? Words.bigEndian(request.immediate()) : 0));
        if (common) {
            putDestination(at, request);
        } else {
            putOther(wqe, request);
        }
        putData(wqe, request);
        tail = queue.next(tail);
    }

    /** Clears the kernel's fields of the slot, which still have the values of the previous use. */
    private void clear(int at) {
        words.put(at + STATUS, 0);
        words.put(at + MASK, 0);
        words.put(at + LAST_PSN, 0);
        words.put(at + SSN, 0);
        words.put(at + SGE_OFFSET, 0);
    }

    /** Writes the operations that {@link #putDestination} does not handle. */
    private void putOther(int wqe, SendView request) {
        ByteBuffer memory = queue.memory();
        memory.putLong(wqe + SendWqe.IOVA, 0);
        for (int word = 0; word < UNION_WORDS; word++) {
            words.put(Words.index(wqe) + UNION + word, 0);
        }
        switch (request.opcode()) {
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV, WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV ->
                memory.putInt(wqe + SendWqe.INVALIDATE_RKEY, request.invalidatedKey());
            case WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW -> putBinding(memory, wqe, request.binding());
            case RecentOpcodes.IB_UVERBS_WR_FLUSH -> {
                memory.putLong(wqe + SendWqe.IOVA, request.remoteIova());
                memory.putLong(wqe + FlushWqe.REMOTE_ADDR, request.remoteIova());
                memory.putInt(wqe + FlushWqe.LENGTH, (int) request.totalLength());
                memory.putInt(wqe + FlushWqe.RKEY, request.rkey());
                memory.put(wqe + FlushWqe.TYPE, (byte) request.flushTypes());
            }
            case RecentOpcodes.IB_UVERBS_WR_ATOMIC_WRITE -> {
                memory.putLong(wqe + SendWqe.IOVA, request.remoteIova());
                memory.putLong(wqe + SendWqe.RDMA_REMOTE_ADDR, request.remoteIova());
                memory.putInt(wqe + SendWqe.RDMA_RKEY, request.rkey());
                memory.putLong(wqe + SendWqe.DMA + DmaInfo.INLINE_DATA, request.compareAdd());
            }
            default -> throw new IllegalArgumentException("rxe has no operation " + request.opcode());
        }
    }

    private static void putBinding(ByteBuffer memory, int wqe, BindView binding) {
        memory.putLong(wqe + SendWqe.MW_ADDR, binding.boundIova());
        memory.putLong(wqe + SendWqe.MW_LENGTH, binding.boundLength());
        memory.putInt(wqe + SendWqe.MW_MR_LKEY, binding.regionKey());
        memory.putInt(wqe + SendWqe.MW_MW_RKEY, binding.windowKey());
        memory.putInt(wqe + SendWqe.MW_RKEY, binding.newKey());
        memory.putInt(wqe + SendWqe.MW_ACCESS, binding.boundAccess());
    }

    private void putDestination(int at, SendView request) {
        if (datagram) {
            RxeAddress address = (RxeAddress) Objects.requireNonNull(request.address());
            words.put(at + IOVA, 0);
            words.put(at + UNION, Words.pair(request.remoteQpn(), request.remoteQkey()));
            words.put(at + AH_NUM, Words.pair(0, address.number()));
            return;
        }
        words.put(at + IOVA, request.remoteIova());
        words.put(at + UNION, request.remoteIova());
        if (request.isAtomic()) {
            words.put(at + COMPARE_ADD, request.compareAdd());
            words.put(at + SWAP, request.swap());
            words.put(at + ATOMIC_RKEY, Words.pair(request.rkey(), 0));
        } else {
            words.put(at + RKEY, Words.pair(request.rkey(), 0));
        }
    }

    private void putData(int wqe, SendView request) {
        ByteBuffer inline = request.inlineData();
        if (inline != null) {
            putInline(wqe, inline);
            return;
        }
        boolean writesWord = request.opcode() == RecentOpcodes.IB_UVERBS_WR_ATOMIC_WRITE;
        int length = writesWord ? Long.BYTES : (int) request.totalLength();
        int at = Words.index(wqe);
        words.put(at + LENGTHS, Words.pair(length, length));
        int pieces = request.numSge();
        queue.requireRoom(SendWqe.DMA + DmaInfo.SGE, pieces * Sge.BYTES);
        words.put(at + NUM_SGE, Words.pair(0, pieces));
        for (int i = 0; i < pieces; i++) {
            int entry = at + SGE + i * SGE_WORDS;
            words.put(entry, request.iova(i));
            words.put(entry + 1, Words.pair(request.length(i), request.lkey(i)));
        }
    }

    private void putInline(int wqe, ByteBuffer inline) {
        int length = inline.remaining();
        queue.requireRoom(SendWqe.DMA + DmaInfo.INLINE_DATA, length);
        int at = Words.index(wqe);
        words.put(at + LENGTHS, Words.pair(length, length));
        words.put(at + NUM_SGE, 0);
        queue.memory().put(wqe + SendWqe.DMA + DmaInfo.INLINE_DATA, inline, inline.position(), length);
    }

    @Override
    public void discard() {
        tail = published;
    }

    @Override
    public int publish() {
        published = tail;
        queue.releaseProducer(tail);
        return doorbell.ring();
    }

    void retire() {
        doorbell.retire();
        queue.retire();
    }

    /**
     * The address of a datagram.
     *
     * @param number the number of the kernel's address handle in work requests
     */
    record RxeAddress(int number) implements AddressVector {
        /**
         * A number is required: without it, the kernel would expect the whole address, including the MAC address, in every
         * work request.
         */
        static RxeAddress of(Created.Ah created) throws UnsupportedByKernelException {
            int number = created.driverReply().getInt(CreateAhResp.AH_NUM);
            if (number == 0) {
                throw new UnsupportedByKernelException(
                        "the rxe driver of this kernel does not number address handles: datagrams need Linux 5.15 or newer");
            }
            return new RxeAddress(number);
        }
    }
}
