// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.DeviceAttr.Extended.Rss;
import io.github.rdma4j.verbs.attr.DeviceAttr.Extended.TagMatching;
import java.nio.ByteBuffer;

/**
 * The bytes of {@link DeviceAttr.Extended}. Older kernels write fewer bytes; the rest stays zero.
 */
@KernelStruct(value = "struct ib_uverbs_ex_query_device_resp", header = "rdma/ib_user_verbs.h")
public final class ExtendedDeviceAttrBytes {
    public static final int BASE = 0; // struct ib_uverbs_query_device_resp

    @CName("odp_caps.general_caps")
    public static final int GENERAL_CAPS = 184; // __aligned_u64

    @CName("odp_caps.per_transport_caps.rc_odp_caps")
    public static final int RC_ODP_CAPS = 192; // __u32

    @CName("odp_caps.per_transport_caps.uc_odp_caps")
    public static final int UC_ODP_CAPS = 196; // __u32

    @CName("odp_caps.per_transport_caps.ud_odp_caps")
    public static final int UD_ODP_CAPS = 200; // __u32

    public static final int TIMESTAMP_MASK = 208; // __aligned_u64
    public static final int HCA_CORE_CLOCK = 216; // __aligned_u64: kHz
    public static final int DEVICE_CAP_FLAGS_EX = 224; // __aligned_u64

    @CName("rss_caps.supported_qpts")
    public static final int SUPPORTED_QPTS = 232; // __u32

    @CName("rss_caps.max_rwq_indirection_tables")
    public static final int MAX_RWQ_INDIRECTION_TABLES = 236; // __u32

    @CName("rss_caps.max_rwq_indirection_table_size")
    public static final int MAX_RWQ_INDIRECTION_TABLE_SIZE = 240; // __u32

    public static final int MAX_WQ_TYPE_RQ = 248; // __u32
    public static final int RAW_PACKET_CAPS = 252; // __u32

    @CName("tm_caps.max_rndv_hdr_size")
    public static final int MAX_RNDV_HDR_SIZE = 256; // __u32

    @CName("tm_caps.max_num_tags")
    public static final int MAX_NUM_TAGS = 260; // __u32

    @CName("tm_caps.flags")
    public static final int TM_FLAGS = 264; // __u32

    @CName("tm_caps.max_ops")
    public static final int MAX_OPS = 268; // __u32

    @CName("tm_caps.max_sge")
    public static final int MAX_SGE = 272; // __u32

    @CName("cq_moderation_caps.max_cq_moderation_count")
    public static final int MAX_CQ_MODERATION_COUNT = 280; // __u16

    @CName("cq_moderation_caps.max_cq_moderation_period")
    public static final int MAX_CQ_MODERATION_PERIOD = 282; // __u16: microseconds

    public static final int MAX_DM_SIZE = 288; // __aligned_u64
    public static final int XRC_ODP_CAPS = 296; // __u32
    public static final int BYTES = 304;

    private ExtendedDeviceAttrBytes() {}

    /** Reads the reply at {@code base} of a buffer in native order. */
    public static DeviceAttr.Extended decode(ByteBuffer in, int base) {
        return new DeviceAttr.Extended(
                DeviceAttrBytes.decode(in, base + BASE),
                new DeviceAttr.OnDemandPaging(
                        in.getLong(base + GENERAL_CAPS),
                        in.getInt(base + RC_ODP_CAPS),
                        in.getInt(base + UC_ODP_CAPS),
                        in.getInt(base + UD_ODP_CAPS),
                        in.getInt(base + XRC_ODP_CAPS)),
                in.getLong(base + TIMESTAMP_MASK),
                in.getLong(base + HCA_CORE_CLOCK),
                in.getLong(base + DEVICE_CAP_FLAGS_EX),
                new Rss(
                        in.getInt(base + SUPPORTED_QPTS),
                        in.getInt(base + MAX_RWQ_INDIRECTION_TABLES),
                        in.getInt(base + MAX_RWQ_INDIRECTION_TABLE_SIZE)),
                in.getInt(base + MAX_WQ_TYPE_RQ),
                in.getInt(base + RAW_PACKET_CAPS),
                new TagMatching(
                        in.getInt(base + MAX_RNDV_HDR_SIZE),
                        in.getInt(base + MAX_NUM_TAGS),
                        in.getInt(base + TM_FLAGS),
                        in.getInt(base + MAX_OPS),
                        in.getInt(base + MAX_SGE)),
                StructFields.getU16(in, base + MAX_CQ_MODERATION_COUNT),
                StructFields.getU16(in, base + MAX_CQ_MODERATION_PERIOD),
                in.getLong(base + MAX_DM_SIZE));
    }

    /** The attributes derived from the short form of the reply. */
    public static DeviceAttr.Extended of(DeviceAttr basic) {
        return new DeviceAttr.Extended(
                basic,
                new DeviceAttr.OnDemandPaging(0, 0, 0, 0, 0),
                0,
                0,
                Integer.toUnsignedLong(basic.deviceCapFlags()),
                new Rss(0, 0, 0),
                0,
                0,
                new TagMatching(0, 0, 0, 0, 0),
                0,
                0,
                0);
    }
}
