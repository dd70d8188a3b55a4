// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;

/**
 * The kernel's reply to a query of a port, a {@link PortAttr}. The longer reply of {@code UVERBS_METHOD_QUERY_PORT}
 * begins with the same bytes.
 */
@KernelStruct(value = "struct ib_uverbs_query_port_resp", header = "rdma/ib_user_verbs.h")
public final class PortAttrBytes {
    public static final int PORT_CAP_FLAGS = 0; // __u32
    public static final int MAX_MSG_SZ = 4; // __u32
    public static final int BAD_PKEY_CNTR = 8; // __u32
    public static final int QKEY_VIOL_CNTR = 12; // __u32
    public static final int GID_TBL_LEN = 16; // __u32
    public static final int PKEY_TBL_LEN = 20; // __u16
    public static final int LID = 22; // __u16
    public static final int SM_LID = 24; // __u16
    public static final int STATE = 26; // __u8
    public static final int MAX_MTU = 27; // __u8
    public static final int ACTIVE_MTU = 28; // __u8
    public static final int LMC = 29; // __u8
    public static final int MAX_VL_NUM = 30; // __u8
    public static final int SM_SL = 31; // __u8
    public static final int SUBNET_TIMEOUT = 32; // __u8
    public static final int INIT_TYPE_REPLY = 33; // __u8
    public static final int ACTIVE_WIDTH = 34; // __u8
    public static final int ACTIVE_SPEED = 35; // __u8
    public static final int PHYS_STATE = 36; // __u8
    public static final int LINK_LAYER = 37; // __u8
    public static final int FLAGS = 38; // __u8
    public static final int BYTES = 40;

    private PortAttrBytes() {}

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static PortAttr decode(ByteBuffer in, int base) {
        return new PortAttr(
                in.getInt(base + PORT_CAP_FLAGS),
                in.getInt(base + MAX_MSG_SZ),
                in.getInt(base + BAD_PKEY_CNTR),
                in.getInt(base + QKEY_VIOL_CNTR),
                in.getInt(base + GID_TBL_LEN),
                StructFields.getU16(in, base + PKEY_TBL_LEN),
                StructFields.getU16(in, base + LID),
                StructFields.getU16(in, base + SM_LID),
                StructFields.getU8(in, base + STATE),
                StructFields.getU8(in, base + MAX_MTU),
                StructFields.getU8(in, base + ACTIVE_MTU),
                StructFields.getU8(in, base + LMC),
                StructFields.getU8(in, base + MAX_VL_NUM),
                StructFields.getU8(in, base + SM_SL),
                StructFields.getU8(in, base + SUBNET_TIMEOUT),
                StructFields.getU8(in, base + INIT_TYPE_REPLY),
                StructFields.getU8(in, base + ACTIVE_WIDTH),
                StructFields.getU8(in, base + ACTIVE_SPEED),
                StructFields.getU8(in, base + PHYS_STATE),
                StructFields.getU8(in, base + LINK_LAYER),
                StructFields.getU8(in, base + FLAGS));
    }

    /**
     * The layout of the reply of {@code UVERBS_METHOD_QUERY_PORT}: {@link PortAttr}, and the members of later kernels.
     */
    @KernelStruct(value = "struct ib_uverbs_query_port_resp_ex", header = "rdma/ib_user_ioctl_verbs.h")
    public static final class PortAttrEx {
        public static final int BYTES = 48;

        private PortAttrEx() {}
    }
}
