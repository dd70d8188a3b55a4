// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.nio.ByteBuffer;

/** Queries the attributes that a queue pair needs to enter a state; the reply is an {@link QpAttr}. */
@KernelStruct(value = "struct rdma_ucm_init_qp_attr", header = "rdma/rdma_user_cm.h")
public record InitQpAttrCommand(int id, int qpState) {
    public static final int RESPONSE = 0; // __aligned_u64: address of struct ib_uverbs_qp_attr
    public static final int ID = 8; // __u32
    public static final int QP_STATE = 12; // __u32: enum ib_qp_state
    public static final int BYTES = 16;

    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + RESPONSE, response);
        out.putInt(base + ID, id);
        out.putInt(base + QP_STATE, qpState);
    }
}
