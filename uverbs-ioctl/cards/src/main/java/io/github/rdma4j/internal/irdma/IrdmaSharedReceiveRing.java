// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Shadow;
import io.github.rdma4j.internal.provider.TaggedReceiveRing;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * A shared receive queue. The device takes the elements in order and completes them in any order, and a completion
 * repeats a word of its element: the tag of the receive. (libirdma writes the program's work request number instead,
 * which the provider could not verify.)
 *
 * <p>There is no doorbell: the shadow area contains the index of the next element.
 */
final class IrdmaSharedReceiveRing extends TaggedReceiveRing {
    private final RegisteredMemory memory;
    private final ReceiveElements elements;
    private final LongBuffer shadow;
    private final int entries;

    /** The next element. */
    private int next;

    /**
     * Creates a ring of {@code entries}, of which one stays unused, in {@code memory}, with the shadow area at {@code
     * shadowAt}.
     */
    IrdmaSharedReceiveRing(RegisteredMemory memory, ReceiveElements elements, int entries, int shadowAt) {
        super(entries, entries, elements.maxSge());
        this.memory = memory;
        this.elements = elements;
        this.entries = entries;
        this.shadow = memory.memory()
                .buffer()
                .slice(shadowAt, Shadow.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer();
    }

    @Override
    public void put(ReceiveView request) {
        int entry = next;
        long header = elements.put(entry, request, nextTag());
        post(request.wrId());
        next = entry + 1 == entries ? 0 : entry + 1;
        elements.makeValid(entry, header);
        VarHandle.releaseFence();
        shadow.put(Shadow.HEAD_WORD, next);
    }

    @Override
    public void retire(boolean destroyed) {
        memory.release(destroyed);
    }
}
