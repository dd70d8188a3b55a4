// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * The limits and capabilities of a device ({@code struct ibv_device_attr}). The limits are upper bounds, not
 * reservations: creating an object can fail below a limit.
 *
 * @param fwVer firmware version, in the vendor's format
 * @param nodeGuid GUID of the node as a big-endian number
 * @param sysImageGuid GUID of the system image as a big-endian number
 * @param maxMrSize size of the largest memory region in bytes; unsigned
 * @param pageSizeCap bit mask of the supported page sizes; bit n stands for 2^n bytes
 * @param vendorId IEEE OUI of the vendor
 * @param vendorPartId part number assigned by the vendor
 * @param hwVer hardware version
 * @param maxQp maximum number of queue pairs
 * @param maxQpWr maximum number of work requests in one work queue
 * @param deviceCapFlags capability bits, {@code IBV_DEVICE_*}
 * @param maxSge maximum number of scatter-gather entries in one work request
 * @param maxSgeRd maximum number of scatter-gather entries in one RDMA read
 * @param maxCq maximum number of completion queues
 * @param maxCqe maximum number of entries in one completion queue
 * @param maxMr maximum number of memory regions
 * @param maxPd maximum number of protection domains
 * @param maxQpRdAtom maximum number of outstanding RDMA reads and atomics at one queue pair as responder
 * @param maxEeRdAtom maximum number of outstanding RDMA reads and atomics at one end-to-end context as responder
 * @param maxResRdAtom number of resources of the device for RDMA reads and atomics as responder
 * @param maxQpInitRdAtom maximum number of outstanding RDMA reads and atomics of one queue pair as initiator
 * @param maxEeInitRdAtom maximum number of outstanding RDMA reads and atomics of one end-to-end context as initiator
 * @param atomicCap atomicity: 0 none, 1 within the device, 2 global
 * @param maxEe maximum number of end-to-end contexts
 * @param maxRdd maximum number of reliable datagram domains
 * @param maxMw maximum number of memory windows
 * @param maxRawIpv6Qp maximum number of raw IPv6 queue pairs
 * @param maxRawEthyQp maximum number of raw Ethertype queue pairs
 * @param maxMcastGrp maximum number of multicast groups
 * @param maxMcastQpAttach maximum number of queue pairs attached to one multicast group
 * @param maxTotalMcastQpAttach maximum number of queue pairs attached to all multicast groups together
 * @param maxAh maximum number of address handles
 * @param maxFmr maximum number of fast memory regions
 * @param maxMapPerFmr maximum number of remaps of one fast memory region
 * @param maxSrq maximum number of shared receive queues
 * @param maxSrqWr maximum number of work requests in one shared receive queue
 * @param maxSrqSge maximum number of scatter-gather entries in one work request of a shared receive queue
 * @param maxPkeys maximum number of partition keys of one port
 * @param localCaAckDelay exponent of the longest delay of an acknowledgement, 4.096 us * 2^n
 * @param physPortCnt number of physical ports
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
     * On-demand paging: access to memory that is not pinned ({@code struct ibv_odp_caps}).
     *
     * @param general {@code IBV_ODP_SUPPORT} and {@code IBV_ODP_SUPPORT_IMPLICIT}
     * @param rc operations of reliable connections, {@code IBV_ODP_SUPPORT_*}
     * @param uc operations of unreliable connections, {@code IBV_ODP_SUPPORT_*}
     * @param ud operations of unreliable datagrams, {@code IBV_ODP_SUPPORT_*}
     * @param xrc operations of extended reliable connections, {@code IBV_ODP_SUPPORT_*}
     */
    public record OnDemandPaging(long general, int rc, int uc, int ud, int xrc) {
        private static final int SUPPORT = 1;
        private static final int IMPLICIT = 2;

        /**
         * Returns true if the driver reports that it has {@link Access#ON_DEMAND} ({@code IBV_ODP_SUPPORT}). On rxe rdma4j
         * refuses it nevertheless.
         */
        public boolean isSupported() {
            return (general & SUPPORT) != 0;
        }

        /** Returns true if one region can cover the whole address space ({@code IBV_ODP_SUPPORT_IMPLICIT}). */
        public boolean isImplicitSupported() {
            return (general & IMPLICIT) != 0;
        }
    }

    /** A capability of a device, {@code enum ibv_device_cap_flags}. */
    @KernelConstants(value = "rdma/ib_user_verbs.h", prefix = "IB_UVERBS_DEVICE_")
    public enum Capability {
        /** {@code IBV_DEVICE_RESIZE_MAX_WR}: the number of work requests of a queue pair can change. */
        RESIZE_MAX_WR(1L << 0),
        /** {@code IBV_DEVICE_BAD_PKEY_CNTR}: ports count packets with a bad partition key. */
        BAD_PKEY_CNTR(1L << 1),
        /** {@code IBV_DEVICE_BAD_QKEY_CNTR}: ports count packets with a bad queue key. */
        BAD_QKEY_CNTR(1L << 2),
        /** {@code IBV_DEVICE_RAW_MULTI}: queue pairs for raw packets can join multicast groups. */
        RAW_MULTI(1L << 3),
        /** {@code IBV_DEVICE_AUTO_PATH_MIG}: connections can migrate to an alternate path automatically. */
        AUTO_PATH_MIG(1L << 4),
        /** {@code IBV_DEVICE_CHANGE_PHY_PORT}: a queue pair in state SQD can change its port. */
        CHANGE_PHY_PORT(1L << 5),
        /** {@code IBV_DEVICE_UD_AV_PORT_ENFORCE}: the device checks the port of address handles. */
        UD_AV_PORT_ENFORCE(1L << 6),
        /** {@code IBV_DEVICE_CURR_QP_STATE_MOD}: modifying a queue pair accepts {@link QpAttr#curState()}. */
        CURR_QP_STATE_MOD(1L << 7),
        /** {@code IBV_DEVICE_SHUTDOWN_PORT}: ports can be shut down. */
        SHUTDOWN_PORT(1L << 8),
        /** {@code IBV_DEVICE_PORT_ACTIVE_EVENT}: the device reports {@link AsyncEventType#PORT_ACTIVE}. */
        PORT_ACTIVE_EVENT(1L << 10),
        /** {@code IBV_DEVICE_SYS_IMAGE_GUID}: the device has a system image GUID. */
        SYS_IMAGE_GUID(1L << 11),
        /** {@code IBV_DEVICE_RC_RNR_NAK_GEN}: reliable connections send an RNR NAK if no receive is posted. */
        RC_RNR_NAK_GEN(1L << 12),
        /** {@code IBV_DEVICE_SRQ_RESIZE}: the size of a shared receive queue can change. */
        SRQ_RESIZE(1L << 13),
        /** {@code IBV_DEVICE_N_NOTIFY_CQ}: a completion queue can request an event after n completions. */
        N_NOTIFY_CQ(1L << 14),
        /** {@code IBV_DEVICE_MEM_WINDOW}: the device supports memory windows of type 1. */
        MEM_WINDOW(1L << 17),
        /** {@code IBV_DEVICE_UD_IP_CSUM}: the device computes and checks IP checksums for datagrams. */
        UD_IP_CSUM(1L << 18),
        /** {@code IBV_DEVICE_XRC}: the device supports extended reliable connections (XRC). */
        XRC(1L << 20),
        /** {@code IBV_DEVICE_MEM_MGT_EXTENSIONS}: the device supports local invalidation and send with invalidation. */
        MEM_MGT_EXTENSIONS(1L << 21),
        /** {@code IBV_DEVICE_MEM_WINDOW_TYPE_2A}: memory windows of type 2A, which are associated with a queue pair. */
        MEM_WINDOW_TYPE_2A(1L << 23),
        /**
         * {@code IBV_DEVICE_MEM_WINDOW_TYPE_2B}: memory windows of type 2B, which are associated with a queue pair and
         * its protection domain.
         */
        MEM_WINDOW_TYPE_2B(1L << 24),
        /** {@code IBV_DEVICE_RC_IP_CSUM}: the device computes and checks IP checksums for reliable connections. */
        RC_IP_CSUM(1L << 25),
        /** {@code IBV_DEVICE_RAW_IP_CSUM}: the device computes and checks IP checksums of raw packets. */
        RAW_IP_CSUM(1L << 26),
        /** {@code IBV_DEVICE_MANAGED_FLOW_STEERING}: flow rules steer packets to queue pairs. */
        MANAGED_FLOW_STEERING(1L << 29),
        /** {@code IBV_DEVICE_RAW_SCATTER_FCS}: raw packets can be received with their Ethernet frame check sequence. */
        RAW_SCATTER_FCS(1L << 34),
        /** {@code IBV_DEVICE_PCI_WRITE_END_PADDING}: the device can pad PCI writes to whole cache lines. */
        PCI_WRITE_END_PADDING(1L << 36),
        /** {@code IBV_DEVICE_FLUSH_GLOBAL}: flushes to global visibility; Linux 6.3. */
        @CName(value = "IB_UVERBS_DEVICE_FLUSH_GLOBAL", since = "6.3")
        FLUSH_GLOBAL(1L << 38),
        /** {@code IBV_DEVICE_FLUSH_PERSISTENT}: flushes to persistence; Linux 6.3. */
        @CName(value = "IB_UVERBS_DEVICE_FLUSH_PERSISTENT", since = "6.3")
        FLUSH_PERSISTENT(1L << 39),
        /** {@code IBV_DEVICE_ATOMIC_WRITE}: atomic writes of eight bytes; Linux 6.3. */
        @CName(value = "IB_UVERBS_DEVICE_ATOMIC_WRITE", since = "6.3")
        ATOMIC_WRITE(1L << 40);

        private final long mask;

        Capability(long mask) {
            this.mask = mask;
        }

        /** Returns the bit of the capability ({@code IBV_DEVICE_*}). */
        public long mask() {
            return mask;
        }

        /** Returns true if {@code flags} contains the capability. */
        boolean isIn(long flags) {
            return (flags & mask) != 0;
        }

        /** Returns the capabilities in {@code flags}; unknown bits are ignored. */
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
     * The limits and capabilities of a device, including those added by later kernels ({@code struct
     * ibv_device_attr_ex}). A value that the kernel or the driver does not report is 0.
     *
     * @param basic the attributes that {@code DeviceContext.queryDevice} returns
     * @param odp on-demand paging capabilities
     * @param timestampMask the valid bits of completion timestamps
     * @param hcaCoreClock the frequency of the device clock in kHz
     * @param capabilityFlags capability bits, {@code IBV_DEVICE_*}, 64 bits
     * @param rss receive-side scaling capabilities
     * @param maxWqTypeRq maximum number of work queues of the receive type
     * @param rawPacketCaps capability bits for raw packets, {@code IBV_RAW_PACKET_CAP_*}
     * @param tagMatching tag matching capabilities
     * @param maxCqModerationCount maximum number of completions that one event can report
     * @param maxCqModerationPeriod maximum time in microseconds that an event is delayed for further completions
     * @param maxDmSize size of the memory on the device in bytes
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
        /** Throws {@link NullPointerException} if a component is null. */
        public Extended {
            Objects.requireNonNull(basic, "basic");
            Objects.requireNonNull(odp, "odp");
            Objects.requireNonNull(rss, "rss");
            Objects.requireNonNull(tagMatching, "tagMatching");
        }

        /**
         * Receive-side scaling ({@code struct ibv_rss_caps}).
         *
         * @param supportedQpts bit mask of the supported queue pair types
         * @param maxTables maximum number of indirection tables
         * @param maxTableSize maximum number of entries in one indirection table
         */
        public record Rss(int supportedQpts, int maxTables, int maxTableSize) {}

        /**
         * Tag matching ({@code struct ibv_tm_caps}).
         *
         * @param maxRndvHdrSize maximum size of a rendezvous request header in bytes
         * @param maxNumTags maximum number of entries in one list of tags
         * @param flags {@code IBV_TM_CAP_*}
         * @param maxOps maximum number of outstanding operations on one list
         * @param maxSge maximum number of scatter-gather entries in one tag
         */
        public record TagMatching(int maxRndvHdrSize, int maxNumTags, int flags, int maxOps, int maxSge) {}

        /** Returns the capabilities of the device that this version knows. */
        public Set<DeviceAttr.Capability> capabilities() {
            return DeviceAttr.Capability.of(capabilityFlags);
        }

        /** Returns true if the device has {@code capability}. */
        public boolean has(DeviceAttr.Capability capability) {
            return capability.isIn(capabilityFlags);
        }
    }
}
