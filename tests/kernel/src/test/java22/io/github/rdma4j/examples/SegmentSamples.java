// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SegmentMemory;
import io.github.rdma4j.verbs.attr.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;

/** What the guide shows of segments, for JDK 22 and later. */
public final class SegmentSamples {
    private SegmentSamples() {}

    /** Waits until the message is there. */
    public interface Arrival {
        void await() throws RdmaException;
    }

    /** Receives a message into the end of a segment of {@code size} bytes, and returns the first eight bytes of the message. */
    public static long receive(ProtectionDomain pd, QueuePair qp, long size, Arrival message) throws RdmaException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(size);
            try (MemoryRegion region = SegmentMemory.registerMr(pd, memory, EnumSet.of(Access.LOCAL_WRITE))) {
                MemorySegment piece = memory.asSlice(size - 4096, 4096);
                qp.postReceive(SegmentMemory.add(new ReceiveWorkRequest(1), region, piece));
                message.await();
                return piece.get(ValueLayout.JAVA_LONG, 0);
            }
        }
    }
}
