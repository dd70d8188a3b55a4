// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.uverbs.DeviceCaps;
import io.github.rdma4j.internal.uverbs.DeviceCaps.RecentDeviceCaps;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * The limits and capabilities of a device. Limits are promises of the driver, not reservations.
 *
 * @param fwVer firmware version, in the vendor's format
 * @param nodeGuid numeric value of the big-endian GUID of the node
 * @param sysImageGuid numeric value of the big-endian GUID of the system image
 * @param maxMrSize bytes of the largest memory region; unsigned
 * @param pageSizeCap page sizes supported, one bit each
 * @param vendorId IEEE OUI of the vendor
 * @param vendorPartId the vendor's part number
 * @param hwVer hardware version
 * @param maxQp queue pairs
 * @param maxQpWr work requests of one work queue
 * @param deviceCapFlags {@code IBV_DEVICE_*}
 * @param maxSge scatter-gather entries of one work request
 * @param maxSgeRd scatter-gather entries of one RDMA read
 * @param maxCq completion queues
 * @param maxCqe entries of one completion queue
 * @param maxMr memory regions
 * @param maxPd protection domains
 * @param maxQpRdAtom RDMA reads and atomics outstanding as responder, of one queue pair
 * @param maxEeRdAtom the same of one end-to-end context
 * @param maxResRdAtom responder resources of the device
 * @param maxQpInitRdAtom RDMA reads and atomics outstanding as initiator, of one queue pair
 * @param maxEeInitRdAtom the same of one end-to-end context
 * @param atomicCap atomicity: 0 none, 1 within the device, 2 global
 * @param maxEe end-to-end contexts
 * @param maxRdd reliable datagram domains
 * @param maxMw memory windows
 * @param maxRawIpv6Qp raw IPv6 queue pairs
 * @param maxRawEthyQp raw Ethertype queue pairs
 * @param maxMcastGrp multicast groups
 * @param maxMcastQpAttach queue pairs of one multicast group
 * @param maxTotalMcastQpAttach attachments of queue pairs to groups
 * @param maxAh address handles
 * @param maxFmr fast memory regions
 * @param maxMapPerFmr remaps of one fast memory region
 * @param maxSrq shared receive queues
 * @param maxSrqWr work requests of one shared receive queue
 * @param maxSrqSge scatter-gather entries of its work requests
 * @param maxPkeys partition keys of one port
 * @param localCaAckDelay exponent of the acknowledge delay, 4.096 us times a power of two
 * @param physPortCnt ports
 */
public record DeviceAttr(
        long fwVer,
        long nodeGuid,
        long sysImageGuid,
        long maxMrSize,
        long pageSizeCap,
        int vendorId,
        int vendorPartId,
        int hwVer,
        int maxQp,
        int maxQpWr,
        int deviceCapFlags,
        int maxSge,
        int maxSgeRd,
        int maxCq,
        int maxCqe,
        int maxMr,
        int maxPd,
        int maxQpRdAtom,
        int maxEeRdAtom,
        int maxResRdAtom,
        int maxQpInitRdAtom,
        int maxEeInitRdAtom,
        int atomicCap,
        int maxEe,
        int maxRdd,
        int maxMw,
        int maxRawIpv6Qp,
        int maxRawEthyQp,
        int maxMcastGrp,
        int maxMcastQpAttach,
        int maxTotalMcastQpAttach,
        int maxAh,
        int maxFmr,
        int maxMapPerFmr,
        int maxSrq,
        int maxSrqWr,
        int maxSrqSge,
        int maxPkeys,
        int localCaAckDelay,
        int physPortCnt) {

    /**
     * What a device can do with memory that is not pinned ({@code struct ibv_odp_caps}).
     *
     * @param general {@code IBV_ODP_SUPPORT}, {@code IBV_ODP_SUPPORT_IMPLICIT}
     * @param rc operations of reliable connections, {@code IBV_ODP_SUPPORT_*}
     * @param uc operations of unreliable connections
     * @param ud operations of datagrams
     * @param xrc operations of XRC
     */
    public record OnDemandPaging(long general, int rc, int uc, int ud, int xrc) {
        /** A device that pins all memory. */
        static final OnDemandPaging NONE = new OnDemandPaging(0, 0, 0, 0, 0);

        private static final int SUPPORT = 1;
        private static final int IMPLICIT = 2;

        /** True when regions with {@link Access#ON_DEMAND} can be registered ({@code IBV_ODP_SUPPORT}). */
        public boolean isSupported() {
            return (general & SUPPORT) != 0;
        }

        /** True when one region can stand for the whole address space ({@code IBV_ODP_SUPPORT_IMPLICIT}). */
        public boolean isImplicitSupported() {
            return (general & IMPLICIT) != 0;
        }
    }

    /** What a device can do, {@code enum ibv_device_cap_flags}. */
    public enum Capability {
        /** {@code IBV_DEVICE_RESIZE_MAX_WR}: queues of work requests can change their size. */
        RESIZE_MAX_WR(DeviceCaps.IB_UVERBS_DEVICE_RESIZE_MAX_WR),
        /** {@code IBV_DEVICE_BAD_PKEY_CNTR}: counts packets with a bad partition key. */
        BAD_PKEY_CNTR(DeviceCaps.IB_UVERBS_DEVICE_BAD_PKEY_CNTR),
        /** {@code IBV_DEVICE_BAD_QKEY_CNTR}: counts packets with a bad queue key. */
        BAD_QKEY_CNTR(DeviceCaps.IB_UVERBS_DEVICE_BAD_QKEY_CNTR),
        /** {@code IBV_DEVICE_RAW_MULTI}: raw packets to multicast groups. */
        RAW_MULTI(DeviceCaps.IB_UVERBS_DEVICE_RAW_MULTI),
        /** {@code IBV_DEVICE_AUTO_PATH_MIG}: connections move to an alternate path by themselves. */
        AUTO_PATH_MIG(DeviceCaps.IB_UVERBS_DEVICE_AUTO_PATH_MIG),
        /** {@code IBV_DEVICE_CHANGE_PHY_PORT}: a queue pair can change its port in SQD. */
        CHANGE_PHY_PORT(DeviceCaps.IB_UVERBS_DEVICE_CHANGE_PHY_PORT),
        /** {@code IBV_DEVICE_UD_AV_PORT_ENFORCE}: checks the port of address handles. */
        UD_AV_PORT_ENFORCE(DeviceCaps.IB_UVERBS_DEVICE_UD_AV_PORT_ENFORCE),
        /** {@code IBV_DEVICE_CURR_QP_STATE_MOD}: takes the current state with a change of a queue pair. */
        CURR_QP_STATE_MOD(DeviceCaps.IB_UVERBS_DEVICE_CURR_QP_STATE_MOD),
        /** {@code IBV_DEVICE_SHUTDOWN_PORT}: ports can be shut down. */
        SHUTDOWN_PORT(DeviceCaps.IB_UVERBS_DEVICE_SHUTDOWN_PORT),
        /** {@code IBV_DEVICE_PORT_ACTIVE_EVENT}: reports ports that become active. */
        PORT_ACTIVE_EVENT(DeviceCaps.IB_UVERBS_DEVICE_PORT_ACTIVE_EVENT),
        /** {@code IBV_DEVICE_SYS_IMAGE_GUID}: has a GUID of the system image. */
        SYS_IMAGE_GUID(DeviceCaps.IB_UVERBS_DEVICE_SYS_IMAGE_GUID),
        /** {@code IBV_DEVICE_RC_RNR_NAK_GEN}: answers a message without a receive with RNR NAK. */
        RC_RNR_NAK_GEN(DeviceCaps.IB_UVERBS_DEVICE_RC_RNR_NAK_GEN),
        /** {@code IBV_DEVICE_SRQ_RESIZE}: shared receive queues can change their size. */
        SRQ_RESIZE(DeviceCaps.IB_UVERBS_DEVICE_SRQ_RESIZE),
        /** {@code IBV_DEVICE_N_NOTIFY_CQ}: reports when a completion queue holds a number of completions. */
        N_NOTIFY_CQ(DeviceCaps.IB_UVERBS_DEVICE_N_NOTIFY_CQ),
        /** {@code IBV_DEVICE_MEM_WINDOW}: memory windows of type 1. */
        MEM_WINDOW(DeviceCaps.IB_UVERBS_DEVICE_MEM_WINDOW),
        /** {@code IBV_DEVICE_UD_IP_CSUM}: checksums of IP packets in datagrams. */
        UD_IP_CSUM(DeviceCaps.IB_UVERBS_DEVICE_UD_IP_CSUM),
        /** {@code IBV_DEVICE_XRC}: the transport XRC. */
        XRC(DeviceCaps.IB_UVERBS_DEVICE_XRC),
        /** {@code IBV_DEVICE_MEM_MGT_EXTENSIONS}: local invalidation and send with invalidate. */
        MEM_MGT_EXTENSIONS(DeviceCaps.IB_UVERBS_DEVICE_MEM_MGT_EXTENSIONS),
        /** {@code IBV_DEVICE_MEM_WINDOW_TYPE_2A}: memory windows of type 2A: invalidated by any queue pair of the connection. */
        MEM_WINDOW_TYPE_2A(DeviceCaps.IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2A),
        /** {@code IBV_DEVICE_MEM_WINDOW_TYPE_2B}: memory windows of type 2B: bound to a queue pair and its protection domain. */
        MEM_WINDOW_TYPE_2B(DeviceCaps.IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2B),
        /** {@code IBV_DEVICE_RC_IP_CSUM}: checksums of IP packets in reliable connections. */
        RC_IP_CSUM(DeviceCaps.IB_UVERBS_DEVICE_RC_IP_CSUM),
        /** {@code IBV_DEVICE_RAW_IP_CSUM}: checksums of IP packets in raw packets. */
        RAW_IP_CSUM(DeviceCaps.IB_UVERBS_DEVICE_RAW_IP_CSUM),
        /** {@code IBV_DEVICE_MANAGED_FLOW_STEERING}: packets steered to queue pairs by rules. */
        MANAGED_FLOW_STEERING(DeviceCaps.IB_UVERBS_DEVICE_MANAGED_FLOW_STEERING),
        /** {@code IBV_DEVICE_RAW_SCATTER_FCS}: raw packets with their frame checksum. */
        RAW_SCATTER_FCS(DeviceCaps.IB_UVERBS_DEVICE_RAW_SCATTER_FCS),
        /** {@code IBV_DEVICE_PCI_WRITE_END_PADDING}: pads writes to whole cache lines. */
        PCI_WRITE_END_PADDING(DeviceCaps.IB_UVERBS_DEVICE_PCI_WRITE_END_PADDING),
        /** {@code IBV_DEVICE_FLUSH_GLOBAL}: flushes until others see what was written; Linux 6.3. */
        FLUSH_GLOBAL(RecentDeviceCaps.IB_UVERBS_DEVICE_FLUSH_GLOBAL),
        /** {@code IBV_DEVICE_FLUSH_PERSISTENT}: flushes until what was written lasts; Linux 6.3. */
        FLUSH_PERSISTENT(RecentDeviceCaps.IB_UVERBS_DEVICE_FLUSH_PERSISTENT),
        /** {@code IBV_DEVICE_ATOMIC_WRITE}: writes of eight bytes in one step; Linux 6.3. */
        ATOMIC_WRITE(RecentDeviceCaps.IB_UVERBS_DEVICE_ATOMIC_WRITE);

        private final long mask;

        Capability(long mask) {
            this.mask = mask;
        }

        /** The bit of the capability ({@code IBV_DEVICE_*}). */
        public long mask() {
            return mask;
        }

        /** True when {@code flags} has the capability. */
        boolean isIn(long flags) {
            return (flags & mask) != 0;
        }

        /** The capabilities among {@code flags} that have a name. */
        static Set<Capability> of(long flags) {
            EnumSet<Capability> capabilities = EnumSet.noneOf(Capability.class);
            for (Capability each : values()) {
                if (each.isIn(flags)) {
                    capabilities.add(each);
                }
            }
            return Collections.unmodifiableSet(capabilities);
        }
    }

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
    public record Extended(
            DeviceAttr basic,
            DeviceAttr.OnDemandPaging odp,
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
        public Extended {
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
        public Set<DeviceAttr.Capability> capabilities() {
            return DeviceAttr.Capability.of(capabilityFlags);
        }

        /** True when the device has {@code capability}. */
        public boolean has(DeviceAttr.Capability capability) {
            return capability.isIn(capabilityFlags);
        }
    }
}
