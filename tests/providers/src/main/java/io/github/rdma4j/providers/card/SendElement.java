// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.MemoryKey.Segment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A work request of a send queue.
 *
 * @param index the counter of its first block
 * @param operation what to do
 * @param code the driver's number of the operation
 * @param blocks units of the ring that it takes
 * @param flags {@link #FENCE}, {@link #SIGNALED}, {@link #SOLICITED}
 * @param immediate as on the wire
 * @param srqn the peer's shared receive queue, of an initiator of XRC
 * @param address where a datagram goes, null for a connected queue pair
 * @param memory what the request reads and writes
 */
record SendElement(
        int index,
        Operation operation,
        int code,
        int blocks,
        int flags,
        int immediate,
        int srqn,
        @Nullable Destination address,
        Memory memory) {
    /**
     * What a request reads and writes.
     *
     * @param remote the peer's memory; of length 0 for a plain send
     * @param operand what an atomic operation swaps in or adds
     * @param compare what must be there for a swap
     * @param pieces the local memory
     * @param inline the data itself, null when it is in {@code pieces}
     */
    record Memory(
            Segment remote,
            long operand,
            long compare,
            List<Segment> pieces,
            @Nullable ByteBuffer inline) {
        /** Memory of no atomic operation. */
        Memory(Segment remote, List<Segment> pieces, @Nullable ByteBuffer inline) {
            this(remote, 0, 0, pieces, inline);
        }
    }

    static final int FENCE = 0x80;
    static final int SIGNALED = 0x08;
    static final int SOLICITED = 0x02;

    boolean isFenced() {
        return (flags & FENCE) != 0;
    }

    boolean isSignaled() {
        return (flags & SIGNALED) != 0;
    }

    boolean isSolicited() {
        return (flags & SOLICITED) != 0;
    }

    /** Bytes of local memory or inline data. */
    long length() {
        ByteBuffer inline = memory.inline();
        return inline != null ? inline.capacity() : Segment.total(memory.pieces());
    }
}
