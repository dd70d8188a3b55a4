// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.ExtendedDeviceAttrBytes.Layout;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;

/**
 * The limits and capabilities of a device with what later kernels added ({@code struct ibv_device_attr_ex}). What a kernel or
 * driver does not tell is 0.
 *
 * @param basic what {@link DeviceContext#queryDevice} returns
 * @param odp what the device can do with memory that is not pinned
 * @param timestampMask the bits of the timestamps of completions
 * @param hcaCoreClock the frequency of the device's clock in kHz
 * @param capabilityFlags {@code IBV_DEVICE_*}, 64 bits
 * @param rss receive-side scaling
 * @param maxWqTypeRq work queues of the type receive
 * @param rawPacketCaps {@code IBV_RAW_PACKET_CAP_*}
 * @param tagMatching matching of tags
 * @param maxCqModerationCount completions that one event may stand for
 * @param maxCqModerationPeriod microseconds that an event may wait for further completions
 * @param maxDmSize bytes of memory on the device
 */
public record ExtendedDeviceAttr(
        DeviceAttr basic,
        OnDemandPaging odp,
        long timestampMask,
        long hcaCoreClock,
        long capabilityFlags,
        Rss rss,
        int maxWqTypeRq,
        int rawPacketCaps,
        TagMatching tagMatching,
        int maxCqModerationCount,
        int maxCqModerationPeriod,
        long maxDmSize) {
    private static final long LOW_HALF = 0xffff_ffffL;

    /** No component is null. */
    public ExtendedDeviceAttr {
        Objects.requireNonNull(basic, "basic");
        Objects.requireNonNull(odp, "odp");
        Objects.requireNonNull(rss, "rss");
        Objects.requireNonNull(tagMatching, "tagMatching");
    }

    /**
     * Receive-side scaling ({@code struct ibv_rss_caps}).
     *
     * @param supportedQpts types of queue pairs, a bit each
     * @param maxTables indirection tables
     * @param maxTableSize entries of an indirection table
     */
    public record Rss(int supportedQpts, int maxTables, int maxTableSize) {
        static final Rss NONE = new Rss(0, 0, 0);
    }

    /**
     * Matching of tags ({@code struct ibv_tm_caps}).
     *
     * @param maxRndvHdrSize bytes of the header of a rendezvous request
     * @param maxNumTags entries of a list of tags
     * @param flags {@code IBV_TM_CAP_*}
     * @param maxOps outstanding operations on a list
     * @param maxSge scatter-gather entries of a tag
     */
    public record TagMatching(int maxRndvHdrSize, int maxNumTags, int flags, int maxOps, int maxSge) {
        static final TagMatching NONE = new TagMatching(0, 0, 0, 0, 0);
    }

    /** Reads the reply at {@code base} of a buffer in native order. */
    static ExtendedDeviceAttr decode(ByteBuffer in, int base) {
        return new ExtendedDeviceAttr(
                DeviceAttrBytes.decode(in, base + Layout.BASE),
                new OnDemandPaging(
                        in.getLong(base + Layout.GENERAL_CAPS),
                        in.getInt(base + Layout.RC_ODP_CAPS),
                        in.getInt(base + Layout.UC_ODP_CAPS),
                        in.getInt(base + Layout.UD_ODP_CAPS),
                        in.getInt(base + Layout.XRC_ODP_CAPS)),
                in.getLong(base + Layout.TIMESTAMP_MASK),
                in.getLong(base + Layout.HCA_CORE_CLOCK),
                in.getLong(base + Layout.DEVICE_CAP_FLAGS_EX),
                new Rss(
                        in.getInt(base + Layout.SUPPORTED_QPTS),
                        in.getInt(base + Layout.MAX_RWQ_INDIRECTION_TABLES),
                        in.getInt(base + Layout.MAX_RWQ_INDIRECTION_TABLE_SIZE)),
                in.getInt(base + Layout.MAX_WQ_TYPE_RQ),
                in.getInt(base + Layout.RAW_PACKET_CAPS),
                new TagMatching(
                        in.getInt(base + Layout.MAX_RNDV_HDR_SIZE),
                        in.getInt(base + Layout.MAX_NUM_TAGS),
                        in.getInt(base + Layout.TM_FLAGS),
                        in.getInt(base + Layout.MAX_OPS),
                        in.getInt(base + Layout.MAX_SGE)),
                StructFields.getU16(in, base + Layout.MAX_CQ_MODERATION_COUNT),
                StructFields.getU16(in, base + Layout.MAX_CQ_MODERATION_PERIOD),
                in.getLong(base + Layout.MAX_DM_SIZE));
    }

    /** What is known where the kernel has the short form only. */
    static ExtendedDeviceAttr of(DeviceAttr basic) {
        return new ExtendedDeviceAttr(
                basic,
                OnDemandPaging.NONE,
                0,
                0,
                basic.deviceCapFlags() & LOW_HALF,
                Rss.NONE,
                0,
                0,
                TagMatching.NONE,
                0,
                0,
                0);
    }

    /** What the device can do, as far as this version has a name for it. */
    public Set<DeviceCapability> capabilities() {
        return DeviceCapability.of(capabilityFlags);
    }

    /** True when the device has {@code capability}. */
    public boolean has(DeviceCapability capability) {
        return capability.isIn(capabilityFlags);
    }
}
