// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.connectx.Segments.DataSeg;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import java.nio.ByteBuffer;

/**
 * The segments of a receive, for a queue pair's own receive queue or a shared receive queue, in ConnectX of all
 * generations: the length, the local key and the address of a piece of memory, big endian.
 */
final class ReceiveSegments {
    private ReceiveSegments() {}

    /**
     * Writes the scatter-gather entries of {@code request} from {@code at} on. Omits empty entries, because the device
     * reads the length 0 as 2 GiB. A list shorter than {@code most} ends with a segment with an invalid key.
     *
     * @param most the number of segments that fit into the entry
     */
    static void put(ByteBuffer ring, int at, ReceiveView request, int most) {
        int pieces = request.numSge();
        ReceiveRing.requireRoom(pieces, most);
        int next = at;
        for (int i = 0; i < pieces; i++) {
            int length = request.length(i);
            if (length != 0) {
                putSegment(ring, next, length, request.lkey(i), request.iova(i));
                next += DataSeg.BYTES;
            }
        }
        if (next < at + most * DataSeg.BYTES) {
            putSegment(ring, next, 0, Codes.INVALID_LKEY, 0);
        }
    }

    private static void putSegment(ByteBuffer ring, int at, int length, int lkey, long iova) {
        ring.putLong(at + DataSeg.BYTE_COUNT, Words.bigEndianPair(length, lkey));
        ring.putLong(at + DataSeg.ADDR, iova);
    }
}
