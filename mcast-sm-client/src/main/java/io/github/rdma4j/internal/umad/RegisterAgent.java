// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.umad;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.nio.ByteBuffer;

/** Registers an agent. Headers on the file then have 64 bytes. */
@KernelStruct(value = "struct ib_user_mad_reg_req2", header = "rdma/ib_user_mad.h")
public record RegisterAgent(int qpn, int mgmtClass, int mgmtClassVersion, int flags, long methods, int rmppVersion) {
    public static final int ID = 0; // __u32: out: the agent
    public static final int QPN = 4; // __u32: 0 for subnet management, 1 for all other classes
    public static final int MGMT_CLASS = 8; // __u8
    public static final int MGMT_CLASS_VERSION = 9; // __u8
    public static final int RES = 10; // __u16
    public static final int FLAGS = 12; // __u32: IB_USER_MAD_USER_RMPP
    // __aligned_u64[2]: the methods whose requests the agent receives; bits from 64 on are for vendors
    public static final int METHOD_MASK = 16;
    public static final int OUI = 32; // __u32
    public static final int RMPP_VERSION = 36; // __u8: 1 for RMPP in the kernel or in the agent, otherwise 0
    public static final int RESERVED = 37; // __u8[3]
    public static final int BYTES = 40;

    /** The command of kernels before 3.18, without flags. */
    @KernelStruct(value = "struct ib_user_mad_reg_req", header = "rdma/ib_user_mad.h")
    public static final class Old {
        private Old() {}

        public static final int ID = 0; // __u32: out: the agent
        public static final int METHOD_MASK = 4; // packed_ulong[]: 128 bits in longs
        public static final int QPN = 20; // __u8
        public static final int MGMT_CLASS = 21; // __u8
        public static final int MGMT_CLASS_VERSION = 22; // __u8
        public static final int OUI = 23; // __u8[3]
        public static final int RMPP_VERSION = 26; // __u8
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
