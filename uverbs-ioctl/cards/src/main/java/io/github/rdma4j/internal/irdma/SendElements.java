// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Header;
import io.github.rdma4j.internal.irdma.Elements.Operations;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.provider.SendView.BindView;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;

/** The words of send elements. An element lies within a chunk, so it never wraps around. */
final class SendElements {
    /** The number of quanta of a page; a page is invalidated ahead of the elements. */
    private static final int PAGE_QUANTA = Elements.PAGE / Elements.QUANTUM;

    private static final long[] ZEROS = new long[Elements.PAGE / Long.BYTES];
    private static final long[] ONES = ones();

    private static final int FIRST_INLINE = 8;
    private static final int NEXT_INLINE = Elements.QUANTUM - 1;
    private static final int FIRST_INLINE_OF_GENERATION_1 = 16;

    private static final int REMOTE_READ = Access.REMOTE_READ.code();
    private static final int REMOTE_WRITE = Access.REMOTE_WRITE.code();
    private static final int REMOTE_ATOMIC = Access.REMOTE_ATOMIC.code();

    private final ByteBuffer ring;
    private final LongBuffer words;
    private final int mask;
    private final int chunkMask;
    private final boolean firstGeneration;

    /** The valid bit of this lap. */
    private long valid;

    /** The header of the first unpublished element. */
    private long firstHeader;

    /** The current element: its quantum, counted without wrapping, its first word, and its number of quanta. */
    private int start;

    private int at;
    private int quanta;

    SendElements(ByteBuffer memory, SendSizes sizes, long valid) {
        this.ring = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.words = ring.asLongBuffer();
        this.mask = (memory.capacity() >> Elements.QUANTUM_SHIFT) - 1;
        this.chunkMask = sizes.chunk() - 1;
        this.firstGeneration = sizes.firstGeneration();
        this.valid = valid;
    }

    private static long[] ones() {
        long[] ones = new long[Elements.PAGE / Long.BYTES];
        Arrays.fill(ones, -1);
        return ones;
    }

    /** The number of quanta left in the chunk of quantum {@code head}. */
    int room(int head) {
        return chunkMask + 1 - (head & chunkMask);
    }

    /** Begins an element at quantum {@code head}. */
    void begin(int head, int wanted) {
        start = head;
        quanta = wanted;
        int quantum = head & mask;
        at = quantum << Elements.QUANTUM_WORDS_SHIFT;
        if (quantum == 0) {
            valid ^= Elements.VALID;
        }
        if (firstGeneration && quanta == 1 && (quantum & 1) == 0) {
            // the device reads two quanta at a time
            words.put(at + Elements.QUANTUM_WORDS + Header.WORD, valid ^ Elements.VALID);
        }
        if (quantum % PAGE_QUANTA == 0) {
            clearAhead((quantum + PAGE_QUANTA) & mask);
        }
    }

    /** Invalidates a page for the lap in which the elements reach it. */
    private void clearAhead(int quantum) {
        boolean zeros = (valid != 0) == (quantum != 0);
        words.put(quantum << Elements.QUANTUM_WORDS_SHIFT, zeros ? ZEROS : ONES);
    }

    /** The first quantum of the current element. */
    int start() {
        return start;
    }

    int quanta() {
        return quanta;
    }

    /** The valid bit of this lap. */
    long valid() {
        return valid;
    }

    /** Writes word {@code word} of the current element. */
    void putWord(int word, long value) {
        words.put(at + word, value);
    }

    void putPiece(int word, long iova, int length, int key) {
        words.put(at + word, iova);
        words.put(at + word + 1, Pieces.word(firstGeneration, valid, length, key));
    }

    void putEmptyPiece(int word) {
        words.put(at + word, 0);
        words.put(at + word + 1, firstGeneration ? 0 : valid);
    }

    /** Copies inline data. In each quantum except the first, the last byte contains the bit {@code valid}. */
    void putInline(ByteBuffer data, int length) {
        int to = at << 3;
        int from = data.position();
        if (firstGeneration) {
            int first = Math.min(length, FIRST_INLINE_OF_GENERATION_1);
            ring.put(to, data, from, first);
            ring.put(to + Elements.QUANTUM, data, from + first, length - first);
            return;
        }
        int copied = Math.min(length, FIRST_INLINE);
        ring.put(to + FIRST_INLINE, data, from, copied);
        while (copied < length) {
            to += Elements.QUANTUM;
            int more = Math.min(length - copied, NEXT_INLINE);
            ring.put(to, data, from + copied, more);
            ring.put(to + NEXT_INLINE, (byte) (valid >> (Long.SIZE - Byte.SIZE)));
            copied += more;
        }
    }

    void putInvalidated(int key) {
        putWord(0, 0);
        putWord(1, Pieces.word(firstGeneration, 0, 0, key));
        putWord(2, 0);
    }

    /** Writes an atomic operation, which takes two quanta. */
    void putAtomic(SendView request, boolean swaps) {
        putWord(0, request.iova(0));
        putWord(1, Integer.toUnsignedLong(request.lkey(0)));
        putWord(2, request.remoteIova());
        int second = Elements.QUANTUM_WORDS;
        putWord(second, swaps ? request.swap() : request.compareAdd());
        putWord(second + 1, swaps ? request.compareAdd() : 0);
        putWord(second + 2, 0);
        putWord(second + Header.WORD, valid);
    }

    /**
     * Writes the binding of a memory window; returns the header bits that describe it.
     *
     * @param atomics true if windows may allow atomic operations
     */
    long putBinding(BindView binding, boolean atomics) {
        int region = firstGeneration ? binding.newKey() : binding.regionKey();
        int window = firstGeneration ? binding.regionKey() : binding.newKey();
        int access = binding.boundAccess();
        putWord(0, binding.boundIova());
        putWord(1, (long) region << Integer.SIZE | Integer.toUnsignedLong(window));
        putWord(2, binding.boundLength());
        return Header.ADDRESSED_WINDOW
                | ((access & REMOTE_READ) == 0 ? 0 : Header.READABLE_WINDOW)
                | ((access & REMOTE_WRITE) == 0 ? 0 : Header.WRITABLE_WINDOW)
                | (!atomics || (access & REMOTE_ATOMIC) == 0 ? 0 : Header.WINDOW_OF_ATOMICS)
                | (binding.isOfType2() ? 0 : Header.WINDOW_OF_TYPE_1);
    }

    /** Writes a no-op element; its header is not valid yet. */
    void putNop(int head, boolean first) {
        int word = (head & mask) << Elements.QUANTUM_WORDS_SHIFT;
        words.put(word, 0);
        words.put(word + 1, 0);
        words.put(word + 2, 0);
        putHeader(word + Header.WORD, (long) Operations.NOP << Header.OPERATION_SHIFT, first);
    }

    /**
     * Writes the header of the element, not valid yet.
     *
     * @param first true for the first unpublished element, whose header is kept outside the ring
     */
    void putHeader(long header, boolean first) {
        putHeader(at + Header.WORD, header, first);
    }

    private void putHeader(int word, long header, boolean first) {
        if (first) {
            firstHeader = header | valid;
        } else {
            words.put(word, header | (valid ^ Elements.VALID));
        }
    }

    private int headerOf(int head) {
        return ((head & mask) << Elements.QUANTUM_WORDS_SHIFT) + Header.WORD;
    }

    /** Publishes the first unpublished element, at quantum {@code head}. */
    void makeFirstValid(int head) {
        words.put(headerOf(head), firstHeader);
    }

    /** Publishes another element, at quantum {@code head}. */
    void makeValid(int head) {
        int word = headerOf(head);
        words.put(word, words.get(word) ^ Elements.VALID);
    }

    /**
     * Takes back unpublished elements, so that none of their quanta looks like an element.
     *
     * @param from the first quantum
     * @param to the quantum after the last
     * @param validBefore the bit of valid elements in the lap of the quantum before {@code from}
     */
    void invalidate(int from, int to, long validBefore) {
        valid = validBefore;
        long ofQuantum = validBefore;
        int end = Math.max(to - from, start + quanta - from);
        for (int i = 0; i < end; i++) {
            int quantum = (from + i) & mask;
            if (quantum == 0) {
                ofQuantum ^= Elements.VALID;
            }
            words.put((quantum << Elements.QUANTUM_WORDS_SHIFT) + Header.WORD, ofQuantum == 0 ? -1 : 0);
        }
    }
}
