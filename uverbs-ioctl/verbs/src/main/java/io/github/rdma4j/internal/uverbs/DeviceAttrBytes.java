// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import java.nio.ByteBuffer;

/**
 * The kernel's reply to a query of a device, a {@link DeviceAttr}.
 */
@KernelStruct(value = "struct ib_uverbs_query_device_resp", header = "rdma/ib_user_verbs.h")
public final class DeviceAttrBytes {
    public static final int FW_VER = 0; // __aligned_u64
    public static final int NODE_GUID = 8; // __be64: numeric value is big-endian
    public static final int SYS_IMAGE_GUID = 16; // __be64: numeric value is big-endian
    public static final int MAX_MR_SIZE = 24; // __aligned_u64
    public static final int PAGE_SIZE_CAP = 32; // __aligned_u64
    public static final int VENDOR_ID = 40; // __u32
    public static final int VENDOR_PART_ID = 44; // __u32
    public static final int HW_VER = 48; // __u32
    public static final int MAX_QP = 52; // __u32
    public static final int MAX_QP_WR = 56; // __u32
    public static final int DEVICE_CAP_FLAGS = 60; // __u32
    public static final int MAX_SGE = 64; // __u32
    public static final int MAX_SGE_RD = 68; // __u32
    public static final int MAX_CQ = 72; // __u32
    public static final int MAX_CQE = 76; // __u32
    public static final int MAX_MR = 80; // __u32
    public static final int MAX_PD = 84; // __u32
    public static final int MAX_QP_RD_ATOM = 88; // __u32
    public static final int MAX_EE_RD_ATOM = 92; // __u32
    public static final int MAX_RES_RD_ATOM = 96; // __u32
    public static final int MAX_QP_INIT_RD_ATOM = 100; // __u32
    public static final int MAX_EE_INIT_RD_ATOM = 104; // __u32
    public static final int ATOMIC_CAP = 108; // __u32
    public static final int MAX_EE = 112; // __u32
    public static final int MAX_RDD = 116; // __u32
    public static final int MAX_MW = 120; // __u32
    public static final int MAX_RAW_IPV6_QP = 124; // __u32
    public static final int MAX_RAW_ETHY_QP = 128; // __u32
    public static final int MAX_MCAST_GRP = 132; // __u32
    public static final int MAX_MCAST_QP_ATTACH = 136; // __u32
    public static final int MAX_TOTAL_MCAST_QP_ATTACH = 140; // __u32
    public static final int MAX_AH = 144; // __u32
    public static final int MAX_FMR = 148; // __u32
    public static final int MAX_MAP_PER_FMR = 152; // __u32
    public static final int MAX_SRQ = 156; // __u32
    public static final int MAX_SRQ_WR = 160; // __u32
    public static final int MAX_SRQ_SGE = 164; // __u32
    public static final int MAX_PKEYS = 168; // __u16
    public static final int LOCAL_CA_ACK_DELAY = 170; // __u8
    public static final int PHYS_PORT_CNT = 171; // __u8
    public static final int BYTES = 176;

    private DeviceAttrBytes() {}

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static DeviceAttr decode(ByteBuffer in, int base) {
        return new DeviceAttr(
                in.getLong(base + FW_VER),
                StructFields.getBe64(in, base + NODE_GUID),
                StructFields.getBe64(in, base + SYS_IMAGE_GUID),
                in.getLong(base + MAX_MR_SIZE),
                in.getLong(base + PAGE_SIZE_CAP),
                in.getInt(base + VENDOR_ID),
                in.getInt(base + VENDOR_PART_ID),
                in.getInt(base + HW_VER),
                in.getInt(base + MAX_QP),
                in.getInt(base + MAX_QP_WR),
                in.getInt(base + DEVICE_CAP_FLAGS),
                in.getInt(base + MAX_SGE),
                in.getInt(base + MAX_SGE_RD),
                in.getInt(base + MAX_CQ),
                in.getInt(base + MAX_CQE),
                in.getInt(base + MAX_MR),
                in.getInt(base + MAX_PD),
                in.getInt(base + MAX_QP_RD_ATOM),
                in.getInt(base + MAX_EE_RD_ATOM),
                in.getInt(base + MAX_RES_RD_ATOM),
                in.getInt(base + MAX_QP_INIT_RD_ATOM),
                in.getInt(base + MAX_EE_INIT_RD_ATOM),
                in.getInt(base + ATOMIC_CAP),
                in.getInt(base + MAX_EE),
                in.getInt(base + MAX_RDD),
                in.getInt(base + MAX_MW),
                in.getInt(base + MAX_RAW_IPV6_QP),
                in.getInt(base + MAX_RAW_ETHY_QP),
                in.getInt(base + MAX_MCAST_GRP),
                in.getInt(base + MAX_MCAST_QP_ATTACH),
                in.getInt(base + MAX_TOTAL_MCAST_QP_ATTACH),
                in.getInt(base + MAX_AH),
                in.getInt(base + MAX_FMR),
                in.getInt(base + MAX_MAP_PER_FMR),
                in.getInt(base + MAX_SRQ),
                in.getInt(base + MAX_SRQ_WR),
                in.getInt(base + MAX_SRQ_SGE),
                StructFields.getU16(in, base + MAX_PKEYS),
                StructFields.getU8(in, base + LOCAL_CA_ACK_DELAY),
                StructFields.getU8(in, base + PHYS_PORT_CNT));
    }
}
