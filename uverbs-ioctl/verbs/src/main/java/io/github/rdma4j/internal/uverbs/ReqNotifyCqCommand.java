// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import java.nio.ByteBuffer;

/**
 * Requests one event for the next completion.
 *
 * <pre>{@code
 * struct ib_uverbs_req_notify_cq {  // uapi/rdma/ib_user_verbs.h, IB_USER_VERBS_CMD_REQ_NOTIFY_CQ
 *     __u32 cq_handle;              // 0
 *     __u32 solicited_only;         // 4
 * };                                // 8
 * }</pre>
 *
 * @param cqHandle the completion queue
 * @param solicitedOnly only for messages whose sender solicited an event
 */
@KernelStruct(value = "struct ib_uverbs_req_notify_cq", header = "rdma/ib_user_verbs.h")
public record ReqNotifyCqCommand(int cqHandle, boolean solicitedOnly) {
    public static final int CQ_HANDLE = 0;
    public static final int SOLICITED_ONLY = 4;
    public static final int BYTES = 8;

    /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        encode(out, base, cqHandle, solicitedOnly);
    }

    /** Encodes the command without creating an object. */
    public static void encode(ByteBuffer out, int base, int cqHandle, boolean solicitedOnly) {
        out.putInt(base + CQ_HANDLE, cqHandle);
        out.putInt(base + SOLICITED_ONLY, solicitedOnly ? 1 : 0);
    }
}
