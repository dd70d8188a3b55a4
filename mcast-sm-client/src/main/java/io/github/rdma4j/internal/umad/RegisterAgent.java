// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.umad;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * Registers an agent on a kernel before 3.18.
 *
 * <pre>{@code
 * struct ib_user_mad_reg_req {    // uapi/rdma/ib_user_mad.h, IB_USER_MAD_REGISTER_AGENT
 *     __u32 id;                   //  0  out: the agent
 *     packed_ulong method_mask[]; //  4  128 bits in longs
 *     __u8 qpn;                   // 20
 *     __u8 mgmt_class;            // 21
 *     __u8 mgmt_class_version;    // 22
 *     __u8 oui[3];                // 23
 *     __u8 rmpp_version;          // 26
 * };                              // 28
 * }</pre>
 *
 * @param methods the methods whose requests the agent receives, bits 0 to 63; higher bits are for vendors
 * @param qpn 0 for subnet management, 1 for all other classes
 * @param mgmtClass the management class
 * @param mgmtClassVersion its version
 * @param rmppVersion 1 for RMPP in the kernel, otherwise 0
 */
@KernelStruct(value = "struct ib_user_mad_reg_req", header = "rdma/ib_user_mad.h")
public record RegisterAgent(long methods, int qpn, int mgmtClass, int mgmtClassVersion, int rmppVersion) {
    public static final class Layout {
        public static final int ID = 0;
        public static final int METHOD_MASK = 4;
        public static final int QPN = 20;
        public static final int MGMT_CLASS = 21;
        public static final int MGMT_CLASS_VERSION = 22;
        public static final int OUI = 23;
        public static final int RMPP_VERSION = 26;
        public static final int BYTES = 28;

        private Layout() {}
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        StructFields.zero(out, base, Layout.BYTES);
        out.putLong(base + Layout.METHOD_MASK, methods);
        StructFields.putU8(out, base + Layout.QPN, qpn);
        StructFields.putU8(out, base + Layout.MGMT_CLASS, mgmtClass);
        StructFields.putU8(out, base + Layout.MGMT_CLASS_VERSION, mgmtClassVersion);
        StructFields.putU8(out, base + Layout.RMPP_VERSION, rmppVersion);
    }
}
