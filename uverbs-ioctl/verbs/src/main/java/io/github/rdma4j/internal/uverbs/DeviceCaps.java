// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The capabilities of a device, a bit mask. */
@KernelConstants("rdma/ib_user_verbs.h")
public final class DeviceCaps {
    public static final long IB_UVERBS_DEVICE_RESIZE_MAX_WR = 1L << 0;
    public static final long IB_UVERBS_DEVICE_BAD_PKEY_CNTR = 1L << 1;
    public static final long IB_UVERBS_DEVICE_BAD_QKEY_CNTR = 1L << 2;
    public static final long IB_UVERBS_DEVICE_RAW_MULTI = 1L << 3;
    public static final long IB_UVERBS_DEVICE_AUTO_PATH_MIG = 1L << 4;
    public static final long IB_UVERBS_DEVICE_CHANGE_PHY_PORT = 1L << 5;
    public static final long IB_UVERBS_DEVICE_UD_AV_PORT_ENFORCE = 1L << 6;
    public static final long IB_UVERBS_DEVICE_CURR_QP_STATE_MOD = 1L << 7;
    public static final long IB_UVERBS_DEVICE_SHUTDOWN_PORT = 1L << 8;
    public static final long IB_UVERBS_DEVICE_PORT_ACTIVE_EVENT = 1L << 10;
    public static final long IB_UVERBS_DEVICE_SYS_IMAGE_GUID = 1L << 11;
    public static final long IB_UVERBS_DEVICE_RC_RNR_NAK_GEN = 1L << 12;
    public static final long IB_UVERBS_DEVICE_SRQ_RESIZE = 1L << 13;
    public static final long IB_UVERBS_DEVICE_N_NOTIFY_CQ = 1L << 14;
    public static final long IB_UVERBS_DEVICE_MEM_WINDOW = 1L << 17;
    public static final long IB_UVERBS_DEVICE_UD_IP_CSUM = 1L << 18;
    public static final long IB_UVERBS_DEVICE_XRC = 1L << 20;
    public static final long IB_UVERBS_DEVICE_MEM_MGT_EXTENSIONS = 1L << 21;
    public static final long IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2A = 1L << 23;
    public static final long IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2B = 1L << 24;
    public static final long IB_UVERBS_DEVICE_RC_IP_CSUM = 1L << 25;
    public static final long IB_UVERBS_DEVICE_RAW_IP_CSUM = 1L << 26;
    public static final long IB_UVERBS_DEVICE_MANAGED_FLOW_STEERING = 1L << 29;
    public static final long IB_UVERBS_DEVICE_RAW_SCATTER_FCS = 1L << 34;
    public static final long IB_UVERBS_DEVICE_PCI_WRITE_END_PADDING = 1L << 36;

    private DeviceCaps() {}

    /** The capabilities of a device from Linux 6.3, a bit mask. */
    @KernelConstants(value = "rdma/ib_user_verbs.h", since = "6.3")
    public static final class RecentDeviceCaps {
        public static final long IB_UVERBS_DEVICE_FLUSH_GLOBAL = 1L << 38;
        public static final long IB_UVERBS_DEVICE_FLUSH_PERSISTENT = 1L << 39;
        public static final long IB_UVERBS_DEVICE_ATOMIC_WRITE = 1L << 40;

        private RecentDeviceCaps() {}
    }
}
