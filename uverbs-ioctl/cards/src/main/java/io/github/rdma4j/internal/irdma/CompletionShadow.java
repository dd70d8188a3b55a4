// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Shadow;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The state of a completion queue that the process writes for the device: the consumer index and the wanted event.
 *
 * @param memory the memory of the shadow area
 * @param offset the offset in the memory
 * @param shared true if the memory belongs to the ring
 * @param words the words of the shadow area
 */
record CompletionShadow(RegisteredMemory memory, int offset, boolean shared, LongBuffer words) {
    private static CompletionShadow of(RegisteredMemory memory, int offset, boolean shared) {
        ByteBuffer area = memory.memory().buffer().slice(offset, Shadow.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return new CompletionShadow(memory, offset, shared, area.asLongBuffer());
    }

    /** A shadow area in the memory of the ring, at {@code offset}. */
    static CompletionShadow behind(RegisteredMemory ring, int offset) {
        return of(ring, offset, true);
    }

    /** A shadow area in separate memory, which it releases. */
    static CompletionShadow in(RegisteredMemory memory) {
        return of(memory, 0, false);
    }

    /** Reports that the process has taken the entries before {@code head}. */
    void polled(int head) {
        // the entries must be read before the device may overwrite them
        VarHandle.releaseFence();
        words.put(Shadow.HEAD_WORD, head);
    }

    /** Requests another event. */
    void arm(boolean solicitedOnly) {
        int before = (int) words.get(Shadow.ARM_WORD);
        int sequence = (before >>> Shadow.SEQUENCE_SHIFT) + 1 & Shadow.SEQUENCE_MASK;
        int kinds = solicitedOnly ? Shadow.ARM_SOLICITED : Shadow.ARM_SOLICITED | Shadow.ARM_ANY;
        words.put(Shadow.ARM_WORD, sequence << Shadow.SEQUENCE_SHIFT | kinds | (before & Shadow.RESIZES_MASK));
    }

    /** Reports that {@code count} replaced rings are empty. */
    void emptied(int count) {
        int before = (int) words.get(Shadow.ARM_WORD);
        words.put(Shadow.ARM_WORD, (before & ~Shadow.RESIZES_MASK) | ((before + count) & Shadow.RESIZES_MASK));
    }

    /** Releases the memory, unless it belongs to the ring. */
    void release(boolean destroyed) {
        if (!shared) {
            memory.release(destroyed);
        }
    }
}
