// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.connectx.Segments.AtomicSeg;
import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.connectx.Segments.RaddrSeg;
import io.github.rdma4j.internal.provider.CountedSendRing;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The send queue of a queue pair: a ring of places, each of which may hold the start of a work queue element.
 * Completions identify the place by a counter of 16 bits.
 */
public abstract class ConnectxSendRing extends CountedSendRing {
    /** The counters of completions and doorbells. */
    protected static final int COUNTER = 0xffff;

    /** The unit of the length in an element: 16 bytes. */
    protected static final int UNIT_SHIFT = 4;

    /** No element. */
    protected static final int NONE = -1;

    private static final int WORD_SHIFT = 3;

    /** The device's number of an operation, by the kernel's number. */
    private static final byte[] OPCODES = {
        Codes.OPCODE_RDMA_WRITE,
        Codes.OPCODE_RDMA_WRITE_IMM,
        Codes.OPCODE_SEND,
        Codes.OPCODE_SEND_IMM,
        Codes.OPCODE_RDMA_READ,
        Codes.OPCODE_ATOMIC_CS,
        Codes.OPCODE_ATOMIC_FA
    };

    /** The flag of a solicited event, in elements of all generations. */
    private static final int SOLICITED = 2;

    private final boolean signalAll;
    private final boolean datagram;
    private final boolean xrc;
    private final ByteBuffer ring;

    /** {@link #ring} as words, for aligned stores. */
    private final LongBuffer words;

    private final int byteMask;

    /** The work request number, by place. */
    private final long[] wrIds;

    /** The number of work requests visible to the device, for the poller. */
    private final AtomicInteger published = new AtomicInteger();

    /**
     * Creates a ring without work requests.
     *
     * @param memory the memory of the ring
     * @param places a power of two, or 0
     */
    protected ConnectxSendRing(Capacities capacities, ByteBuffer memory, int places, Identity identity) {
        super(capacities);
        this.signalAll = identity.signalAll();
        this.datagram = identity.datagram();
        this.xrc = identity.xrc();
        this.ring = memory.duplicate().order(ByteOrder.BIG_ENDIAN);
        this.words = ring.asLongBuffer();
        this.byteMask = memory.capacity() - 1;
        this.wrIds = new long[places];
    }

    /**
     * The properties that all work queue elements of a queue pair share.
     *
     * @param qpn the queue pair number
     * @param signalAll true when each work request completes with an entry of the completion queue
     * @param datagram true when each work request names its destination
     * @param xrc true when each work request names a shared receive queue of the peer
     */
    public record Identity(int qpn, boolean signalAll, boolean datagram, boolean xrc) {
        /** The identity of a queue pair that the kernel has created. */
        public static Identity of(int qpn, QueuePairRequest request) {
            return new Identity(
                    qpn,
                    request.signalAll(),
                    request.type().isDatagram(),
                    request.type().isXrc());
        }
    }

    // ---- the producer

    protected final boolean isDatagram() {
        return datagram;
    }

    protected final boolean isXrc() {
        return xrc;
    }

    /** The bytes of the ring, big endian. */
    protected final ByteBuffer ring() {
        return ring;
    }

    /** The size of the ring in bytes, minus one; the size is a power of two. */
    protected final int byteMask() {
        return byteMask;
    }

    /** Writes eight bytes at an offset that is a multiple of eight. */
    protected final void putWord(int at, long value) {
        words.put(at >>> WORD_SHIFT, value); // HotSpot learns from the shift that the index is not negative
    }

    /** The device's number of an operation; -1 for an operation that not all generations have. */
    protected static int opcodeOf(int operation) {
        return operation >= 0 && operation < OPCODES.length ? OPCODES[operation] : NONE;
    }

    /** The flags of an element; {@code update} is the flag that requests a completion. */
    protected final int control(int flags, int update) {
        int control = 0;
        if (signalAll || (flags & SendFlags.IBV_SEND_SIGNALED) != 0) {
            control |= update;
        }
        if ((flags & SendFlags.IBV_SEND_SOLICITED) != 0) {
            control |= SOLICITED;
        }
        return control;
    }

    /** Writes the segment with the remote address; {@code at} may be beyond the end of the ring. */
    protected final int putRemote(SendView request, int at) {
        int remote = at & byteMask;
        putWord(remote + RaddrSeg.RADDR, request.remoteIova());
        putWord(remote + RaddrSeg.RKEY, Words.bigEndianPair(request.rkey(), 0));
        return at + RaddrSeg.BYTES;
    }

    /** Writes the operands of an atomic operation; {@code at} may be beyond the end of the ring. */
    protected final int putOperands(SendView request, boolean swaps, int at) {
        int operands = at & byteMask;
        putWord(operands + AtomicSeg.SWAP_ADD, swaps ? request.swap() : request.compareAdd());
        putWord(operands + AtomicSeg.COMPARE, swaps ? request.compareAdd() : 0);
        return at + AtomicSeg.BYTES;
    }

    /** Records the work request {@code wrId} at {@code place}. */
    protected final void remember(int place, long wrId) {
        wrIds[place] = wrId;
    }

    /** The number of work requests visible to the device. */
    protected final int published() {
        return published.getPlain();
    }

    /** Makes all work requests put visible to the poller. */
    protected final void releasePublished() {
        published.setRelease(count());
    }

    /** Forgets the posted requests. No other thread may post or poll at the same time. */
    protected void reset() {
        restart();
        published.set(0);
    }

    // ---- the poller

    /** The number of work requests visible to the device, with acquire: their places may be read. */
    protected final int publishedCount() {
        return published.getAcquire();
    }

    /** The place for the {@code counter} of a completion; -1 if no completion is due for it. */
    protected abstract int placeOf(int counter);

    /** Frees the element at {@code place} and all elements before it. */
    protected abstract void finish(int place);

    final long wrId(int place) {
        return wrIds[place];
    }
}
