// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;

/**
 * Attaches a queue pair to a multicast group, or detaches it: struct ib_uverbs_detach_mcast is the same.
 *
 * <pre>{@code
 * struct ib_uverbs_attach_mcast {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_ATTACH_MCAST
 *     __u8 gid[16];                //  0  raw bytes
 *     __u32 qp_handle;             // 16
 *     __u16 mlid;                  // 20
 *     __u16 reserved;              // 22
 * };                               // 24
 * }</pre>
 *
 * @param gid the group
 * @param qpHandle the queue pair
 * @param mlid the group's local identifier, 0 on Ethernet
 */
@KernelStruct(value = "struct ib_uverbs_attach_mcast", header = "rdma/ib_user_verbs.h")
public record AttachMcastCommand(Gid gid, int qpHandle, int mlid) {
    public static final int GID = 0;
    public static final int QP_HANDLE = 16;
    public static final int MLID = 20;
    public static final int RESERVED = 22;
    public static final int BYTES = 24;

    /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        GidBytes.encode(gid, out, base + GID);
        out.putInt(base + QP_HANDLE, qpHandle);
        StructFields.putU16(out, base + MLID, mlid);
        out.putShort(base + RESERVED, (short) 0);
    }
}
