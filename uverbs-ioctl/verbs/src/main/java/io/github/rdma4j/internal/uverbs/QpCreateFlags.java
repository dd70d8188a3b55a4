// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** Options of a new queue pair, a bit mask. */
@KernelConstants("rdma/ib_user_ioctl_verbs.h")
public final class QpCreateFlags {
    public static final int IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK = 2;
    public static final int IB_UVERBS_QP_CREATE_SCATTER_FCS = 256;
    public static final int IB_UVERBS_QP_CREATE_CVLAN_STRIPPING = 512;
    public static final int IB_UVERBS_QP_CREATE_PCI_WRITE_END_PADDING = 2048;
    public static final int IB_UVERBS_QP_CREATE_SQ_SIG_ALL = 4096;

    private QpCreateFlags() {}
}
