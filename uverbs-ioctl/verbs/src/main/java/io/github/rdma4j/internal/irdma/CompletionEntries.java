// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.internal.provider.QueueHandles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/** A ring of completions and the place of the poller in it. */
final class CompletionEntries {
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final RegisteredMemory memory;
    private final ByteBuffer ring;
    private final LongBuffer words;
    private final int quanta;

    /** The next entry. */
    private int head;

    /** The bit of new entries in this lap. */
    private long valid = Elements.VALID;

    /** Whether the entry at {@link #head} has flushed a request already, and stays for the next. */
    private boolean parked;

    /** Whether an entry was taken. */
    private boolean begun;

    CompletionEntries(RegisteredMemory memory, int quanta) {
        this.memory = memory;
        this.ring = memory.memory().buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.words = ring.asLongBuffer();
        this.quanta = quanta;
    }

    RegisteredMemory memory() {
        return memory;
    }

    int quanta() {
        return quanta;
    }

    int head() {
        return head;
    }

    /** Whether an entry was taken from the ring. */
    boolean isBegun() {
        return begun;
    }

    boolean isParked() {
        return parked;
    }

    /** The entry at {@link #head} stays for the next request that it flushes. */
    void park() {
        parked = true;
        begun = true;
    }

    /** The header of the quantum {@code ahead} of {@link #head}; what is read later is not older. */
    long header(int ahead) {
        return (long)
                LONG.getAcquire(ring, (index(ahead) << Elements.QUANTUM_SHIFT) + Completion.HEADER_WORD * Long.BYTES);
    }

    /** Whether the quantum {@code ahead} of {@link #head}, which has {@code header}, is new. */
    boolean isNew(long header, int ahead) {
        long expected = head + ahead >= quanta ? valid ^ Elements.VALID : valid;
        return ((header ^ expected) & Elements.VALID) == 0;
    }

    /** A word of the quantum {@code ahead} of {@link #head}, which is new. */
    long word(int ahead, int word) {
        return words.get((index(ahead) << Elements.QUANTUM_WORDS_SHIFT) + word);
    }

    private int index(int ahead) {
        int index = head + ahead;
        return index >= quanta ? index - quanta : index;
    }

    /** The entry at {@link #head}, of {@code size} quanta, is done with. */
    void advance(int size) {
        parked = false;
        begun = true;
        head += size;
        if (head >= quanta) {
            head -= quanta;
            valid ^= Elements.VALID;
        }
    }

    /** Makes the new entries of {@code context} entries of no queue pair. */
    void forget(long context) {
        for (int ahead = 0; ahead < quanta; ahead++) {
            if (!isNew(header(ahead), ahead)) {
                return;
            }
            if (word(ahead, Completion.CONTEXT_WORD) == context) {
                words.put((index(ahead) << Elements.QUANTUM_WORDS_SHIFT) + Completion.CONTEXT_WORD, QueueHandles.NONE);
            }
        }
    }
}
