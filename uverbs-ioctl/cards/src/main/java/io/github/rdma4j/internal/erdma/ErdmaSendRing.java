// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.Elements.Operations;
import io.github.rdma4j.internal.erdma.Elements.SendHeader;
import io.github.rdma4j.internal.provider.CountedSendRing;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The send queue of a queue pair: a ring of 32-byte blocks. An element begins at a block, takes 1 to 4 of them, and
 * wraps around at the end of the ring.
 *
 * <p>{@link #block} belongs to the producer, {@link #tail} to the poller of the completion queue.
 */
final class ErdmaSendRing extends CountedSendRing {
    private static final int NONE = -1;
    private static final int HEAD_SHIFT = 32;
    private static final int START_SHIFT = 16;
    private static final int LENGTH_SHIFT = 8;
    private static final int BYTE_MASK = 0xff;
    private static final int WORD_SHIFT = 3;

    private final int qpn;
    private final boolean signalAll;
    private final ByteBuffer ring;

    /** {@link #ring} as words, for aligned stores. */
    private final LongBuffer words;

    private final int byteMask;
    private final int blockMask;
    private final DoorbellRecords.Slot record;
    private final ErdmaDoorbells.Bell bell;

    /** By the first block of an element, like {@link #facts}. */
    private final long[] wrIds;

    /**
     * From the highest bit to the lowest: {@link #count} after the element, 16 bits of {@link #block} before it, its
     * number of blocks, and the opcode of its completion. Combined, so that posting touches one cache line.
     */
    private final long[] facts;

    /** The number of blocks put. */
    private int block;

    /** The value of {@link #count} after the last request that always completes. */
    private int signaled;

    private int publishedBlock;
    private int publishedSignaled;

    /** The published value of {@link #count}. */
    private final AtomicInteger published = new AtomicInteger();

    /** The value of {@link #count} visible to the device. */
    private final AtomicInteger shown = new AtomicInteger();

    /** True if the queue pair is in ERR: the device no longer checks the doorbell. */
    private volatile boolean failed;

    /** The block after the last finished request; poller only. */
    private int tail;

    /** The last request that the device completes. */
    private int owed;

    /** True if the device has failed the queue pair by itself. */
    private volatile boolean failedByDevice;

    /** True if the device completes further requests only by a flush, which it may already have written. */
    private volatile boolean ended;

    /**
     * The properties that all elements of a queue pair share.
     *
     * @param qpn the queue pair number
     * @param signalAll true when each work request completes with an entry of the completion queue
     */
    record Identity(int qpn, boolean signalAll) {}

    /** Creates a ring that fills {@code memory}, with a power of two of blocks. */
    ErdmaSendRing(
            ByteBuffer memory, QpCap cap, Identity identity, DoorbellRecords.Slot record, ErdmaDoorbells.Bell bell) {
        super(new Capacities(
                (memory.capacity() >> Elements.BLOCK_SHIFT) / Elements.MOST_BLOCKS, cap.maxSendSge(), cap.maxInline()));
        int blocks = memory.capacity() >> Elements.BLOCK_SHIFT;
        this.qpn = identity.qpn();
        this.signalAll = identity.signalAll();
        this.ring = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.words = ring.asLongBuffer();
        this.byteMask = memory.capacity() - 1;
        this.blockMask = blocks - 1;
        this.record = record;
        this.bell = bell;
        this.wrIds = new long[blocks];
        this.facts = new long[blocks];
    }

    @Override
    public void put(SendView request) {
        int operation = SendOperations.of(request.opcode());
        int start = block & blockMask;
        int at = start << Elements.BLOCK_SHIFT;
        long header = switch (operation) {
            case Operations.READ -> putRead(request, at);
            case Operations.ATOMIC_CAS, Operations.ATOMIC_FAA -> putAtomic(request, at, operation);
            case Operations.WRITE, Operations.WRITE_WITH_IMM -> putWrite(request, at, operation);
            default -> putSend(request, at, operation);
        };
        int blocks = (int) (header >>> SendHeader.BLOCKS_SHIFT & SendHeader.BLOCKS_MASK) + 1;
        int flags = flags(request.flags());
        wrIds[start] = request.wrId();
        count(count() + 1);
        facts[start] = (long) count() << HEAD_SHIFT
                | (long) (block & SendHeader.INDEX_MASK) << START_SHIFT
                | (long) blocks << LENGTH_SHIFT
                | SendOperations.completion(operation);
        block += blocks;
        if ((flags & SendHeader.SIGNALED) != 0) {
            signaled = count();
        }
        header |= (long) qpn << SendHeader.QPN_SHIFT | (long) operation << SendHeader.OPERATION_SHIFT;
        putWord(at, header | flags | (block & SendHeader.INDEX_MASK));
    }

    private int flags(int requested) {
        int flags = 0;
        if (signalAll || (requested & SendFlags.IBV_SEND_SIGNALED) != 0) {
            flags |= SendHeader.SIGNALED;
        }
        if ((requested & SendFlags.IBV_SEND_SOLICITED) != 0) {
            flags |= SendHeader.SOLICITED;
        }
        if ((requested & SendFlags.IBV_SEND_FENCE) != 0) {
            flags |= SendHeader.FENCE;
        }
        return flags;
    }

    /** Two consecutive 32-bit numbers as one. */
    private static long pair(int first, int second) {
        return (long) second << Integer.SIZE | Integer.toUnsignedLong(first);
    }

    private static int high(long number) {
        return (int) (number >>> Integer.SIZE);
    }

    /** Writes eight bytes at a multiple of eight, which may be beyond the end of the ring. */
    private void putWord(int at, long value) {
        words.put((at & byteMask) >>> WORD_SHIFT, value);
    }

    /** The size bits in the header of an element of {@code bytes}. */
    private static long sized(int pieces, int bytes) {
        int blocks = (bytes + Elements.BLOCK - 1) >> Elements.BLOCK_SHIFT;
        return (long) pieces << SendHeader.PIECES_SHIFT | (long) (blocks - 1) << SendHeader.BLOCKS_SHIFT;
    }

    private long putSend(SendView request, int at, int operation) {
        int word = switch (operation) {
            case Operations.SEND_WITH_IMM -> Integer.reverseBytes(request.immediate());
            case Operations.SEND_WITH_INV -> request.invalidatedKey();
            default -> 0;
        };
        return putData(request, at, word, at + Elements.PIECE);
    }

    private long putWrite(SendView request, int at, int operation) {
        putWord(at + 16, pair(request.rkey(), (int) request.remoteIova()));
        putWord(at + 24, pair(high(request.remoteIova()), 0));
        int word = operation == Operations.WRITE_WITH_IMM ? Integer.reverseBytes(request.immediate()) : 0;
        return putData(request, at, word, at + Elements.BLOCK);
    }

    /** Writes {@code word} and the data length after the header, and the data or its pieces at {@code to}. */
    private long putData(SendView request, int at, int word, int to) {
        ByteBuffer inline = request.inlineData();
        if (inline != null) {
            int length = inline.remaining();
            requireRoom(length, maxInline());
            putInline(inline, to, length);
            putWord(at + 8, pair(word, length));
            return sized(length, to - at + length) | SendHeader.INLINE;
        }
        int pieces = request.numSge();
        requireRoom(pieces, maxSge());
        if (pieces == 1) {
            putWord(at + 8, pair(word, putPiece(request, 0, to))); // avoids the cost of a loop
            return sized(1, to - at + Elements.PIECE);
        }
        int length = 0;
        for (int i = 0; i < pieces; i++) {
            length += putPiece(request, i, to + i * Elements.PIECE);
        }
        putWord(at + 8, pair(word, length));
        return sized(pieces, to - at + pieces * Elements.PIECE);
    }

    /**
     * Writes a piece. A piece at the start of a block is followed by the queue pair number, unless another piece
     * follows.
     */
    private int putPiece(SendView request, int index, int at) {
        int length = request.length(index);
        putWord(at, request.iova(index));
        putWord(at + 8, pair(length, request.lkey(index)));
        if (at % Elements.BLOCK == 0) {
            putWord(at + 24, pair(0, qpn));
        }
        return length;
    }

    private void putInline(ByteBuffer inline, int at, int length) {
        int to = at & byteMask;
        int before = Math.min(length, ring.capacity() - to);
        ring.put(to, inline, inline.position(), before);
        if (before < length) {
            ring.put(0, inline, inline.position() + before, length - before);
        }
    }

    private long putRead(SendView request, int at) {
        int pieces = request.numSge();
        if (pieces > 1) {
            throw new IllegalArgumentException("an RDMA read into " + pieces + " pieces of memory; erdma reads into 1");
        }
        long to = pieces == 0 ? 0 : request.iova(0);
        int length = pieces == 0 ? 0 : request.length(0);
        putWord(at + 8, pair(0, length));
        putWord(at + 16, pair(pieces == 0 ? 0 : request.lkey(0), (int) to));
        putWord(at + 24, pair(high(to), 0));
        putWord(at + Elements.BLOCK, request.remoteIova());
        putWord(at + Elements.BLOCK + 8, pair(length, request.rkey()));
        return sized(0, Elements.BLOCK + Elements.PIECE);
    }

    private long putAtomic(SendView request, int at, int operation) {
        if (request.numSge() != 1) {
            throw new IllegalArgumentException(
                    "an atomic operation into " + request.numSge() + " pieces of memory; it takes 1");
        }
        boolean swaps = operation == Operations.ATOMIC_CAS;
        putWord(at + 8, 0);
        putWord(at + 16, swaps ? request.swap() : request.compareAdd());
        putWord(at + 24, swaps ? request.compareAdd() : 0);
        putWord(at + Elements.BLOCK, request.remoteIova());
        putWord(at + Elements.BLOCK + 8, pair(0, request.rkey()));
        putWord(at + Elements.BLOCK + 16, request.iova(0));
        putWord(at + Elements.BLOCK + 24, pair(request.length(0), request.lkey(0)));
        return sized(0, 2 * Elements.BLOCK);
    }

    @Override
    public void discard() {
        count(published.getPlain());
        block = publishedBlock;
        signaled = publishedSignaled;
    }

    /** Rings the doorbell with the block after the last element. */
    @Override
    public int publish() {
        publishedBlock = block;
        publishedSignaled = signaled;
        if (failedByDevice && isDone(published.getPlain())) {
            ended = true; // the device had nothing left to flush
        }
        published.setRelease(count());
        if (!failed) {
            shown.setRelease(count());
            long doorbell = (long) qpn << SendHeader.QPN_SHIFT | (block & SendHeader.INDEX_MASK);
            record.releaseLong(0, doorbell);
            bell.ring(doorbell);
        }
        return 0;
    }

    /** Called when the device no longer checks the doorbell. Returns false if that was already known. */
    boolean fail() {
        boolean first = !failed;
        if (first) {
            owed = publishedSignaled;
            failed = true;
        }
        return first;
    }

    // ---- the poller

    /** Called when the device has completed a request of the queue pair with an error. */
    void failByDevice() {
        failedByDevice = true;
    }

    boolean isFailed() {
        return failed;
    }

    /**
     * Called when the device has completed a send with an error: it flushes the others, if it completes them at all.
     */
    void end() {
        ended = true;
    }

    /** The element for the {@code index} of a completion; -1 if no completion is due for the element. */
    int elementOf(int index) {
        int start = index & blockMask;
        int position = headAfter(start);
        boolean isOwed = position - doneCount() > 0 && shown.getAcquire() - position >= 0;
        return isOwed && ((int) (facts[start] >>> START_SHIFT) - index & SendHeader.INDEX_MASK) == 0 ? start : NONE;
    }

    private int headAfter(int element) {
        return (int) (facts[element] >>> HEAD_SHIFT);
    }

    long wrId(int element) {
        return wrIds[element];
    }

    /** The opcode of the element's completion, {@code IBV_WC_*}. */
    int opcode(int element) {
        return (int) facts[element] & BYTE_MASK;
    }

    /** Frees an element and all elements before it. */
    void finish(int element) {
        tail = element + ((int) (facts[element] >>> LENGTH_SHIFT) & BYTE_MASK);
        done(headAfter(element));
    }

    /** The next element to flush in place of the device; -1 for none, or if older elements are still to complete. */
    int nextToFlush() {
        boolean waits = !failed || (!ended && owed - doneCount() > 0);
        return waits || published.getAcquire() - doneCount() <= 0 ? NONE : tail & blockMask;
    }
}
