// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.mlx4.Wqe.DataSeg;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import java.nio.ByteBuffer;

/** Writes the segments of a receive, of a queue pair's own queue or of a shared one. */
final class ReceiveEntries {
    private ReceiveEntries() {}

    /**
     * Writes the scatter-gather entries of {@code request} from {@code at} on, and omits empty entries, whose length the
     * device would take for 2 GiB. A list that is shorter than {@code most} ends with a segment that has the invalid
     * key.
     *
     * @param most the number of segments of a receive
     */
    static void put(ByteBuffer ring, int at, ReceiveView request, int most) {
        int pieces = request.numSge();
        if (pieces > most) {
            throw new IllegalArgumentException("the work request grew while it was posted: to " + pieces
                    + " pieces of memory where the queue takes " + most);
        }
        int next = at;
        for (int i = 0; i < pieces; i++) {
            int length = request.length(i);
            if (length != 0) {
                putSegment(ring, next, length, request.lkey(i), request.iova(i));
                next += DataSeg.BYTES;
            }
        }
        if (next < at + most * DataSeg.BYTES) {
            putSegment(ring, next, 0, WqeCodes.MLX4_INVALID_LKEY, 0);
        }
    }

    private static void putSegment(ByteBuffer ring, int at, int length, int lkey, long iova) {
        ring.putLong(at + DataSeg.BYTE_COUNT, Words.bigEndianPair(length, lkey));
        ring.putLong(at + DataSeg.ADDR, iova);
    }
}
