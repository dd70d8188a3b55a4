// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.cm.IbServiceRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The services that an id has resolved: the reply to {@code RDMA_USER_CM_QUERY_IB_SERVICE}.
 *
 * <pre>{@code
 * struct rdma_ucm_query_ib_service_resp {  // uapi/rdma/rdma_user_cm.h
 *     __u32 num_service_recs;              // 0  that there are, whether they fit or not
 *     __u32 reserved;                      // 4
 *     struct ib_user_service_rec recs[];   // 8
 * };                                       // 8
 * }</pre>
 *
 * @param total how many records there are
 * @param records those that did fit
 */
public record QueryIbServiceReply(int total, List<IbServiceRecord> records) {
    private static final int RECORDS = 8;

    /** Copies the list. */
    public QueryIbServiceReply {
        records = List.copyOf(records);
    }

    /** Bytes of a reply buffer with room for as many records. */
    public static int bytes(int records) {
        return RECORDS + records * IbServiceRecordBytes.Layout.BYTES;
    }

    /**
     * Reads the reply at {@code base} of a buffer in native order.
     *
     * @param length bytes of the reply buffer, as the command told the kernel
     */
    public static QueryIbServiceReply decode(ByteBuffer in, int base, int length) {
        int total = in.getInt(base);
        if (total < 0 || length < RECORDS) {
            throw new IllegalArgumentException(total + " services at offset " + base + " in " + length + " bytes");
        }
        int room = (length - RECORDS) / IbServiceRecordBytes.Layout.BYTES;
        return new QueryIbServiceReply(
                total,
                IntStream.range(0, Math.min(total, room))
                        .mapToObj(i ->
                                IbServiceRecordBytes.decode(in, base + RECORDS + i * IbServiceRecordBytes.Layout.BYTES))
                        .toList());
    }
}
