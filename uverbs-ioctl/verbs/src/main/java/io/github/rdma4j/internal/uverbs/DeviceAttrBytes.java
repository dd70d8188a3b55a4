// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import java.nio.ByteBuffer;

/**
 * The kernel's reply to a query of a device, a {@link DeviceAttr}.
 *
 * <pre>{@code
 * struct ib_uverbs_query_device_resp {  // uapi/rdma/ib_user_verbs.h
 *     __aligned_u64 fw_ver;             //   0
 *     __be64 node_guid;                 //   8  numeric value is big-endian
 *     __be64 sys_image_guid;            //  16  numeric value is big-endian
 *     __aligned_u64 max_mr_size;        //  24
 *     __aligned_u64 page_size_cap;      //  32
 *     __u32 vendor_id;                  //  40
 *     __u32 vendor_part_id;             //  44
 *     __u32 hw_ver;                     //  48
 *     __u32 max_qp;                     //  52
 *     __u32 max_qp_wr;                  //  56
 *     __u32 device_cap_flags;           //  60
 *     __u32 max_sge;                    //  64
 *     __u32 max_sge_rd;                 //  68
 *     __u32 max_cq;                     //  72
 *     __u32 max_cqe;                    //  76
 *     __u32 max_mr;                     //  80
 *     __u32 max_pd;                     //  84
 *     __u32 max_qp_rd_atom;             //  88
 *     __u32 max_ee_rd_atom;             //  92
 *     __u32 max_res_rd_atom;            //  96
 *     __u32 max_qp_init_rd_atom;        // 100
 *     __u32 max_ee_init_rd_atom;        // 104
 *     __u32 atomic_cap;                 // 108
 *     __u32 max_ee;                     // 112
 *     __u32 max_rdd;                    // 116
 *     __u32 max_mw;                     // 120
 *     __u32 max_raw_ipv6_qp;            // 124
 *     __u32 max_raw_ethy_qp;            // 128
 *     __u32 max_mcast_grp;              // 132
 *     __u32 max_mcast_qp_attach;        // 136
 *     __u32 max_total_mcast_qp_attach;  // 140
 *     __u32 max_ah;                     // 144
 *     __u32 max_fmr;                    // 148
 *     __u32 max_map_per_fmr;            // 152
 *     __u32 max_srq;                    // 156
 *     __u32 max_srq_wr;                 // 160
 *     __u32 max_srq_sge;                // 164
 *     __u16 max_pkeys;                  // 168
 *     __u8 local_ca_ack_delay;          // 170
 *     __u8 phys_port_cnt;               // 171
 *     __u8 reserved[4];                 // 172
 * };                                    // 176
 * }</pre>
 */
@KernelStruct(value = "struct ib_uverbs_query_device_resp", header = "rdma/ib_user_verbs.h")
public final class DeviceAttrBytes {
    public static final int FW_VER = 0;
    public static final int NODE_GUID = 8;
    public static final int SYS_IMAGE_GUID = 16;
    public static final int MAX_MR_SIZE = 24;
    public static final int PAGE_SIZE_CAP = 32;
    public static final int VENDOR_ID = 40;
    public static final int VENDOR_PART_ID = 44;
    public static final int HW_VER = 48;
    public static final int MAX_QP = 52;
    public static final int MAX_QP_WR = 56;
    public static final int DEVICE_CAP_FLAGS = 60;
    public static final int MAX_SGE = 64;
    public static final int MAX_SGE_RD = 68;
    public static final int MAX_CQ = 72;
    public static final int MAX_CQE = 76;
    public static final int MAX_MR = 80;
    public static final int MAX_PD = 84;
    public static final int MAX_QP_RD_ATOM = 88;
    public static final int MAX_EE_RD_ATOM = 92;
    public static final int MAX_RES_RD_ATOM = 96;
    public static final int MAX_QP_INIT_RD_ATOM = 100;
    public static final int MAX_EE_INIT_RD_ATOM = 104;
    public static final int ATOMIC_CAP = 108;
    public static final int MAX_EE = 112;
    public static final int MAX_RDD = 116;
    public static final int MAX_MW = 120;
    public static final int MAX_RAW_IPV6_QP = 124;
    public static final int MAX_RAW_ETHY_QP = 128;
    public static final int MAX_MCAST_GRP = 132;
    public static final int MAX_MCAST_QP_ATTACH = 136;
    public static final int MAX_TOTAL_MCAST_QP_ATTACH = 140;
    public static final int MAX_AH = 144;
    public static final int MAX_FMR = 148;
    public static final int MAX_MAP_PER_FMR = 152;
    public static final int MAX_SRQ = 156;
    public static final int MAX_SRQ_WR = 160;
    public static final int MAX_SRQ_SGE = 164;
    public static final int MAX_PKEYS = 168;
    public static final int LOCAL_CA_ACK_DELAY = 170;
    public static final int PHYS_PORT_CNT = 171;
    public static final int RESERVED = 172;
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
