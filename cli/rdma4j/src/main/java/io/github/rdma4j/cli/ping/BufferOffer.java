// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What rping sends to say where a buffer is: 16 bytes, big-endian.
 *
 * <pre>{@code
 * struct rping_rdma_info {
 *     __be64 buf;    //  0  I/O virtual address
 *     __be32 rkey;   //  8
 *     __be32 size;   // 12  bytes
 * };                 // 16
 * }</pre>
 */
record BufferOffer(long iova, int rkey, int size) {
    static final int BYTES = 16;

    void encode(ByteBuffer out) {
        out.duplicate()
                .order(ByteOrder.BIG_ENDIAN)
                .putLong(0, iova)
                .putInt(8, rkey)
                .putInt(12, size);
    }

    static BufferOffer decode(ByteBuffer in) {
        ByteBuffer wire = in.duplicate().order(ByteOrder.BIG_ENDIAN);
        return new BufferOffer(wire.getLong(0), wire.getInt(8), wire.getInt(12));
    }
}
