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
 *     __u32 qpn;                    //  4
 *     __u8 mgmt_class;              //  8
 *     __u8 mgmt_class_version;      //  9
 *     __u16 res;                    // 10
 *     __u32 flags;                  // 12  IB_USER_MAD_USER_RMPP
 *     __aligned_u64 method_mask[2]; // 16
 *     __u32 oui;                    // 32
 *     __u8 rmpp_version;            // 36
 *     __u8 reserved[3];             // 37
 * };                                // 40
 * }</pre>
 *
 * @param qpn 0 for subnet management, 1 for all other classes
 * @param mgmtClass the management class
 * @param mgmtClassVersion its version
 * @param flags {@code IB_USER_MAD_USER_RMPP} of {@link MadIoctls}
 * @param methods the methods whose requests the agent receives, bits 0 to 63; higher bits are for vendors
 * @param rmppVersion 1 for RMPP in the kernel or in the agent, otherwise 0
 */
@KernelStruct(value = "struct ib_user_mad_reg_req2", header = "rdma/ib_user_mad.h")
public record RegisterAgent(int qpn, int mgmtClass, int mgmtClassVersion, int flags, long methods, int rmppVersion) {
    public static final class Layout {
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

        private Layout() {}
    }

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
    }

    /** Writes all {@link Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base) {
        StructFields.zero(out, base, Layout.BYTES);
        out.putInt(base + Layout.QPN, qpn);
        StructFields.putU8(out, base + Layout.MGMT_CLASS, mgmtClass);
        StructFields.putU8(out, base + Layout.MGMT_CLASS_VERSION, mgmtClassVersion);
        out.putInt(base + Layout.FLAGS, flags);
        out.putLong(base + Layout.METHOD_MASK, methods);
        StructFields.putU8(out, base + Layout.RMPP_VERSION, rmppVersion);
    }

    /** Writes all {@link Old.Layout#BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encodeOld(ByteBuffer out, int base) {
        StructFields.zero(out, base, Old.Layout.BYTES);
        out.putLong(base + Old.Layout.METHOD_MASK, methods);
        StructFields.putU8(out, base + Old.Layout.QPN, qpn);
        StructFields.putU8(out, base + Old.Layout.MGMT_CLASS, mgmtClass);
        StructFields.putU8(out, base + Old.Layout.MGMT_CLASS_VERSION, mgmtClassVersion);
        StructFields.putU8(out, base + Old.Layout.RMPP_VERSION, rmppVersion);
    }
}
