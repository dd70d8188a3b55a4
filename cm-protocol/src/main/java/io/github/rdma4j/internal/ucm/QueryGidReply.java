// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;

/**
 * The GIDs of an id: the reply to {@code RDMA_USER_CM_QUERY_GID}. It has the layout of {@link QueryAddrReply}, with
 * both addresses a {@link SockaddrIb}.
 *
 * @param sgid GID of the source; all zero when the id has no device
 * @param dgid GID of the destination; all zero when none was resolved
 * @param pkey the partition key
 */
public record QueryGidReply(Gid sgid, Gid dgid, int pkey) {
    /** Reads the {@link QueryAddrReply.Layout#BYTES} bytes at {@code base} of a buffer in native order. */
    public static QueryGidReply decode(ByteBuffer in, int base) {
        return new QueryGidReply(
                gid(in, base + QueryAddrReply.Layout.SRC_ADDR),
                gid(in, base + QueryAddrReply.Layout.DST_ADDR),
                StructFields.getBe16(in, base + QueryAddrReply.Layout.PKEY));
    }

    private static Gid gid(ByteBuffer in, int offset) {
        int family = StructFields.getU16(in, offset + SockaddrIb.SIB_FAMILY);
        if (family != SockAddr.AF_IB) {
            throw new IllegalArgumentException("socket address of family " + family + " at offset " + offset);
        }
        return GidBytes.decode(in, offset + SockaddrIb.SIB_ADDR);
    }
}
