// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import java.util.Objects;
import java.util.Set;

/**
 * The limits and capabilities of a device with what later kernels added ({@code struct ibv_device_attr_ex}). What a kernel or
 * driver does not tell is 0.
 *
 * @param basic what {@code DeviceContext.queryDevice} returns
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
    public record Rss(int supportedQpts, int maxTables, int maxTableSize) {}

    /**
     * Matching of tags ({@code struct ibv_tm_caps}).
     *
     * @param maxRndvHdrSize bytes of the header of a rendezvous request
     * @param maxNumTags entries of a list of tags
     * @param flags {@code IBV_TM_CAP_*}
     * @param maxOps outstanding operations on a list
     * @param maxSge scatter-gather entries of a tag
     */
    public record TagMatching(int maxRndvHdrSize, int maxNumTags, int flags, int maxOps, int maxSge) {}

    /** What the device can do, as far as this version has a name for it. */
    public Set<DeviceCapability> capabilities() {
        return DeviceCapability.of(capabilityFlags);
    }

    /** True when the device has {@code capability}. */
    public boolean has(DeviceCapability capability) {
        return capability.isIn(capabilityFlags);
    }
}
