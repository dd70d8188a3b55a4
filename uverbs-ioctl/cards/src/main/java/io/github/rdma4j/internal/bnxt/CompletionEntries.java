// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.QueueHandles;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A completion ring and the poller's position in it. A bit of each entry identifies the lap in which it was written.
 */
final class CompletionEntries {
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int LAST = Entry.BYTES - Long.BYTES;
    private static final int ENTRY_WORDS = Entry.BYTES / Long.BYTES;

    private final RingMemory memory;
    private final ByteBuffer ring;
    private final LongBuffer words;
    private final int count;

    /** The index of the next entry. */
    private int head;

    /** The phase bit of new entries in this lap. */
    private int phase;

    CompletionEntries(RingMemory memory, int count, int phase) {
        this.memory = memory;
        this.ring = memory.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        this.words = ring.asLongBuffer();
        this.count = count;
        this.phase = phase & Entry.PHASE;
    }

    RingMemory memory() {
        return memory;
    }

    int count() {
        return count;
    }

    int head() {
        return head;
    }

    /** The last word of the next entry, with acquire: later reads see the rest of the entry. */
    long last() {
        return (long) LONG.getAcquire(ring, (head << Entry.SHIFT) + LAST);
    }

    /** True if the next entry, whose last word is {@code last}, has been written. */
    boolean isNew(long last) {
        return ((int) last & Entry.PHASE) == phase;
    }

    static int kind(long last) {
        return (int) last >>> Entry.KIND_SHIFT & Entry.KIND_MASK;
    }

    static boolean isReceive(int kind) {
        return kind == Entry.RECEIVE || kind == Entry.RECEIVE_DATAGRAM;
    }

    /** The tag of the completed receive of a shared receive queue. */
    static int tag(long last) {
        return (int) (last >>> Entry.TAG_SHIFT) & Entry.TAG_MASK;
    }

    /** A word of the next entry, which has been written. */
    long word(int index) {
        return words.get(head * ENTRY_WORDS + index);
    }

    /** Advances to the next entry; returns true at the end of a lap. */
    boolean advance() {
        if (++head < count) {
            return false;
        }
        head = 0;
        phase ^= Entry.PHASE;
        return true;
    }

    /** Detaches the unread entries of a destroyed queue pair, and frees the receives of a shared receive queue. */
    void forget(long handle, @Nullable BnxtSharedReceiveRing shared) {
        int expected = phase;
        int at = head * ENTRY_WORDS;
        for (int i = 0; i < count; i++) {
            long last = words.get(at + ENTRY_WORDS - 1);
            if (((int) last & Entry.PHASE) != expected) {
                return;
            }
            boolean received = isReceive(kind(last));
            if (words.get(received ? at + 1 : at) == handle) {
                words.put(received ? at + 1 : at, QueueHandles.NONE);
                if (received && shared != null && shared.completes(tag(last))) {
                    shared.free(tag(last));
                }
            }
            at += ENTRY_WORDS;
            if (at == count * ENTRY_WORDS) {
                at = 0;
                expected ^= Entry.PHASE;
            }
        }
    }
}
