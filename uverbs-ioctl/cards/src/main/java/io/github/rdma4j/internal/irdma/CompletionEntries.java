// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.internal.provider.QueueHandles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A completion ring and the poller's position in it. An entry has one quantum, optionally followed by a second, or
 * always two quanta.
 */
final class CompletionEntries {
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final RegisteredMemory memory;
    private final ByteBuffer ring;
    private final LongBuffer words;
    private final int entries;

    /** Log2 of the number of quanta of an entry. */
    private final int shift;

    /** The index of the next entry. */
    private int head;

    /** The valid bit of new entries in this lap. */
    private long valid = Elements.VALID;

    /** True if the entry at {@link #head} has already flushed a request, and stays for the next request. */
    private boolean parked;

    /** The ring in which the device continues after a resize. */
    private @Nullable CompletionEntries next;

    /** Creates a ring of {@code entries}. */
    CompletionEntries(RegisteredMemory memory, int entries, boolean wide) {
        this.memory = memory;
        this.ring = memory.memory().buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.words = ring.asLongBuffer();
        this.entries = entries;
        this.shift = wide ? 1 : 0;
    }

    /** The size of a ring in bytes, in whole pages. */
    static int bytes(int entries, boolean wide) {
        return Sizes.pages(entries << (wide ? 1 : 0) << Elements.QUANTUM_SHIFT);
    }

    RegisteredMemory memory() {
        return memory;
    }

    int entries() {
        return entries;
    }

    /** True if each entry has two quanta. */
    boolean isWide() {
        return shift != 0;
    }

    int head() {
        return head;
    }

    /** The next newer ring; null for the newest. */
    @Nullable
    CompletionEntries next() {
        return next;
    }

    /** Records that the device continues in another ring. */
    void goOnIn(CompletionEntries other) {
        next = other;
    }

    /** True if the ring has a new entry, with acquire: later reads of other rings see at least the same state. */
    boolean hasNew() {
        return isNew(header());
    }

    boolean isParked() {
        return parked;
    }

    /** Keeps the entry at {@link #head} for the next request that it flushes. */
    void park() {
        parked = true;
    }

    /** The header of the entry at {@link #head}, with acquire. */
    long header() {
        return header(head << shift);
    }

    private long header(int quantum) {
        return (long) LONG.getAcquire(ring, (quantum << Elements.QUANTUM_SHIFT) + Completion.HEADER_WORD * Long.BYTES);
    }

    /** True if {@code header}, of the entry at {@link #head}, is the header of a new entry. */
    boolean isNew(long header) {
        return hasBit(header, valid);
    }

    private static boolean hasBit(long header, long bit) {
        return ((header ^ bit) & Elements.VALID) == 0;
    }

    /** True if the second quantum of the entry at {@link #head}, whose first quantum is new, is new as well. */
    boolean isSecondNew() {
        boolean wraps = shift == 0 && head + 1 == entries;
        return hasBit(header(second()), wraps ? valid ^ Elements.VALID : valid);
    }

    private int second() {
        return shift != 0 ? (head << 1) + 1 : head + 1 == entries ? 0 : head + 1;
    }

    /** A word of the new entry at {@link #head}. */
    long word(int word) {
        return words.get((head << shift << Elements.QUANTUM_WORDS_SHIFT) + word);
    }

    /** A word of the second quantum of the entry at {@link #head}. */
    long secondWord(int word) {
        return words.get((second() << Elements.QUANTUM_WORDS_SHIFT) + word);
    }

    /** Advances past the entry at {@link #head}, which has {@code size} quanta. */
    void advance(int size) {
        parked = false;
        head += size;
        if (head >= entries) {
            head -= entries;
            valid ^= Elements.VALID;
        }
    }

    /** Detaches the new entries of {@code context}; {@code shared} receives the tags of their shared receives. */
    void forget(long context, LongConsumer shared) {
        long bit = valid;
        for (int i = 0, entry = head; i < entries; i++) {
            int first = entry << shift;
            long header = header(first);
            if (!hasBit(header, bit)) {
                return;
            }
            int tag = (first << Elements.QUANTUM_WORDS_SHIFT) + Completion.CONTEXT_WORD;
            boolean isShared = isShared(header);
            int at = isShared ? tag + Elements.QUANTUM_WORDS : tag;
            if (words.get(at) == context) {
                words.put(at, QueueHandles.NONE);
                if (isShared) {
                    shared.accept(words.get(tag));
                }
            }
            if (++entry == entries) {
                entry = 0;
                bit ^= Elements.VALID;
            }
        }
    }

    /** True if an entry with {@code header} completes a shared receive, which requires an entry of two quanta. */
    boolean isShared(long header) {
        return shift != 0 && (header & (Completion.SHARED | Completion.SEND)) == Completion.SHARED;
    }
}
