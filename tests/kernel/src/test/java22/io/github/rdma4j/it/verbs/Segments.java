// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.examples.SegmentSamples;
import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.SegmentMemory;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

/** Data that two ends move into segments and out of them. */
final class Segments {
    static final Set<Access> FOR_PEERS = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);

    private static final int BYTES = 4096;

    private Segments() {}

    private static MemorySegment fill(ByteBuffer buffer, long seed) {
        byte[] bytes = new byte[BYTES];
        new Random(seed).nextBytes(bytes);
        buffer.put(0, bytes);
        return MemorySegment.ofArray(bytes);
    }

    private static void assertSame(MemorySegment actual, MemorySegment expected) {
        assertThat(actual.mismatch(expected)).as("the first byte that differs").isEqualTo(-1);
    }

    /** The client writes to the server's memory, and the server sends the same bytes back. */
    static void writtenAndSentBack(Loopback ends, MemoryRegion region, MemorySegment memory, long offset)
            throws Exception {
        End client = ends.client();
        MemorySegment expected = fill(client.buffer(), offset);
        client.qp()
                .postSend(new SendWorkRequest(1)
                        .rdmaWrite(region.iova() + offset, region.rkey())
                        .add(client.region(), 0, BYTES)
                        .signaled());
        client.success();
        MemorySegment piece = memory.asSlice(offset, BYTES);
        assertSame(piece, expected);
        fill(client.buffer(), offset + 1);
        client.receive(1, BYTES);
        ends.server()
                .qp()
                .postSend(SegmentMemory.add(new SendWorkRequest(1).send(), region, piece)
                        .signaled());
        ends.server().success();
        client.success();
        assertSame(MemorySegment.ofBuffer(client.buffer()).asSlice(0, BYTES), expected);
    }

    /** The client sends into the end of a segment of {@code size} bytes. */
    static void received(Loopback ends, long size) throws Exception {
        long first = fill(ends.client().buffer(), size).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        End server = ends.server();
        long received = SegmentSamples.receive(server.pd(), server.qp(), size, () -> {
            ends.client().send(1, BYTES);
            ends.client().success();
            server.success();
        });
        assertThat(received).isEqualTo(first);
    }
}
