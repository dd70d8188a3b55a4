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
 * A ring of completions and the place of the poller in it. An entry has one quantum, which may be followed by another, or always
 * two.
 */
final class CompletionEntries {
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final RegisteredMemory memory;
    private final ByteBuffer ring;
    private final LongBuffer words;
    private final int entries;

    /** An entry has two to the power of this number of quanta. */
    private final int shift;

    /** The next entry. */
    private int head;

    /** The bit of new entries in this lap. */
    private long valid = Elements.VALID;

    /** Whether the entry at {@link #head} has flushed a request already, and stays for the next. */
    private boolean parked;

    /** The ring that the device goes on in, after a change of the size. */
    private @Nullable CompletionEntries next;

    /** A ring of {@code entries}. */
    CompletionEntries(RegisteredMemory memory, int entries, boolean wide) {
        this.memory = memory;
        this.ring = memory.memory().buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.words = ring.asLongBuffer();
        this.entries = entries;
        this.shift = wide ? 1 : 0;
    }

    /** The bytes of a ring, in whole pages. */
    static int bytes(int entries, boolean wide) {
        return Sizes.pages(entries << (wide ? 1 : 0) << Elements.QUANTUM_SHIFT);
    }

    RegisteredMemory memory() {
        return memory;
    }

    int entries() {
        return entries;
    }

    /** Whether each entry has two quanta. */
    boolean isWide() {
        return shift != 0;
    }

    int head() {
        return head;
    }

    /** The ring that came after this one; null for the last. */
    @Nullable
    CompletionEntries next() {
        return next;
    }

    /** The device goes on in another ring. */
    void goOnIn(CompletionEntries other) {
        next = other;
    }

    /** Whether the device has written an entry that was not taken yet; what is read later of other rings is not older. */
    boolean hasNew() {
        return isNew(header());
    }

    boolean isParked() {
        return parked;
    }

    /** The entry at {@link #head} stays for the next request that it flushes. */
    void park() {
        parked = true;
    }

    /** The header of the entry at {@link #head}; what is read later is not older. */
    long header() {
        return header(head << shift);
    }

    private long header(int quantum) {
        return (long) LONG.getAcquire(ring, (quantum << Elements.QUANTUM_SHIFT) + Completion.HEADER_WORD * Long.BYTES);
    }

    /** Whether {@code header} of the entry at {@link #head} is that of a new entry. */
    boolean isNew(long header) {
        return hasBit(header, valid);
    }

    private static boolean hasBit(long header, long bit) {
        return ((header ^ bit) & Elements.VALID) == 0;
    }

    /** Whether the second quantum of the entry at {@link #head}, whose first is new, is new too. */
    boolean isSecondNew() {
        boolean wraps = shift == 0 && head + 1 == entries;
        return hasBit(header(second()), wraps ? valid ^ Elements.VALID : valid);
    }

    private int second() {
        return shift != 0 ? (head << 1) + 1 : head + 1 == entries ? 0 : head + 1;
    }

    /** A word of the entry at {@link #head}, which is new. */
    long word(int word) {
        return words.get((head << shift << Elements.QUANTUM_WORDS_SHIFT) + word);
    }

    /** A word of the second quantum of the entry at {@link #head}. */
    long secondWord(int word) {
        return words.get((second() << Elements.QUANTUM_WORDS_SHIFT) + word);
    }

    /** The entry at {@link #head}, which takes the place of {@code size}, is done with. */
    void advance(int size) {
        parked = false;
        head += size;
        if (head >= entries) {
            head -= entries;
            valid ^= Elements.VALID;
        }
    }

    /** Makes the new entries of {@code context} entries of no queue pair; {@code shared} gets the tags of shared receives. */
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

    /** Whether an entry with {@code header} is of a shared receive, which only entries of two quanta can name. */
    boolean isShared(long header) {
        return shift != 0 && (header & (Completion.SHARED | Completion.SEND)) == Completion.SHARED;
    }
}
