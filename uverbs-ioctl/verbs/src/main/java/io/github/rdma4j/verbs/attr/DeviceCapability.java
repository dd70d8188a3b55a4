// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.uverbs.DeviceCaps;
import io.github.rdma4j.internal.uverbs.DeviceCaps.RecentDeviceCaps;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a device can do, {@code enum ibv_device_cap_flags}. */
public enum DeviceCapability {
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

    DeviceCapability(long mask) {
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
    static Set<DeviceCapability> of(long flags) {
        EnumSet<DeviceCapability> capabilities = EnumSet.noneOf(DeviceCapability.class);
        for (DeviceCapability each : values()) {
            if (each.isIn(flags)) {
                capabilities.add(each);
            }
        }
        return Collections.unmodifiableSet(capabilities);
    }
}
