// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.umad;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/**
 * Registers an agent. Headers on the file then have 64 bytes.
 *
 * <pre>{@code
 * struct ib_user_mad_reg_req2 {     // uapi/rdma/ib_user_mad.h, IB_USER_MAD_REGISTER_AGENT2
 *     __u32 id;                     //  0  out: the agent
 *     __u32 qpn;                    //  4  0 for subnet management, 1 for all other classes
 *     __u8 mgmt_class;              //  8
 *     __u8 mgmt_class_version;      //  9
 *     __u16 res;                    // 10
 *     __u32 flags;                  // 12  IB_USER_MAD_USER_RMPP
 *     __aligned_u64 method_mask[2]; // 16  the methods whose requests the agent receives; bits from 64 on are for vendors
 *     __u32 oui;                    // 32
 *     __u8 rmpp_version;            // 36  1 for RMPP in the kernel or in the agent, otherwise 0
 *     __u8 reserved[3];             // 37
 * };                                // 40
 * }</pre>
 */
@KernelStruct(value = "struct ib_user_mad_reg_req2", header = "rdma/ib_user_mad.h")
public record RegisterAgent(int qpn, int mgmtClass, int mgmtClassVersion, int flags, long methods, int rmppVersion) {
    public static final int ID = 0;
    public static final int QPN = 4;
    public static final int MGMT_CLASS = 8;
    public static final int MGMT_CLASS_VERSION = 9;
    public static final int RES = 10;
    public static final int FLAGS = 12;
    public static final int METHOD_MASK = 16;
    public static final int OUI = 32;
    public static final int RMPP_VERSION = 36;
    public static final int RESERVED = 37;
    public static final int BYTES = 40;

    /**
     * The command of kernels before 3.18, without flags.
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
     */
    @KernelStruct(value = "struct ib_user_mad_reg_req", header = "rdma/ib_user_mad.h")
    public static final class Old {
        private Old() {}

        public static final int ID = 0;
        public static final int METHOD_MASK = 4;
        public static final int QPN = 20;
        public static final int MGMT_CLASS = 21;
        public static final int MGMT_CLASS_VERSION = 22;
        public static final int OUI = 23;
        public static final int RMPP_VERSION = 26;
        public static final int BYTES = 28;
    }

    public void encode(ByteBuffer out, int base) {
        StructFields.zero(out, base, BYTES);
        out.putInt(base + QPN, qpn);
        StructFields.putU8(out, base + MGMT_CLASS, mgmtClass);
        StructFields.putU8(out, base + MGMT_CLASS_VERSION, mgmtClassVersion);
        out.putInt(base + FLAGS, flags);
        out.putLong(base + METHOD_MASK, methods);
        StructFields.putU8(out, base + RMPP_VERSION, rmppVersion);
    }

    public void encodeOld(ByteBuffer out, int base) {
        StructFields.zero(out, base, Old.BYTES);
        out.putLong(base + Old.METHOD_MASK, methods);
        StructFields.putU8(out, base + Old.QPN, qpn);
        StructFields.putU8(out, base + Old.MGMT_CLASS, mgmtClass);
        StructFields.putU8(out, base + Old.MGMT_CLASS_VERSION, mgmtClassVersion);
        StructFields.putU8(out, base + Old.RMPP_VERSION, rmppVersion);
    }
}
