// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * Creates an id.
 *
 * <pre>{@code
 * struct rdma_ucm_create_id {  // uapi/rdma/rdma_user_cm.h, RDMA_USER_CM_CMD_CREATE_ID
 *     __aligned_u64 uid;       //  0  echoed in the id's events; the kernel drops events of uid 0
 *     __aligned_u64 response;  //  8  address of the reply
 *     __u16 ps;                // 16  enum rdma_ucm_port_space
 *     __u8 qp_type;            // 18  enum ib_qp_type
 *     __u8 reserved[5];        // 19
 * };                           // 24
 * }</pre>
 *
 * @param uid echoed in the events of the id; not 0, for the kernel drops the events of 0
 * @param ps port space, {@code RDMA_PS_*}
 * @param qpType {@code IB_UVERBS_QPT_*}; read for {@code RDMA_PS_IB} only
 */
@KernelStruct(value = "struct rdma_ucm_create_id", header = "rdma/rdma_user_cm.h")
public record CreateIdCommand(long uid, int ps, int qpType) {
    public static final class Layout {
        public static final int UID = 0;
        public static final int RESPONSE = 8;
        public static final int PS = 16;
        public static final int QP_TYPE = 18;
        public static final int RESERVED = 19;
        public static final int BYTES = 24;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + Layout.UID, uid);
        out.putLong(base + Layout.RESPONSE, response);
        StructFields.putU16(out, base + Layout.PS, ps);
        StructFields.putU8(out, base + Layout.QP_TYPE, qpType);
        StructFields.zero(out, base + Layout.RESERVED, 5);
    }
}
