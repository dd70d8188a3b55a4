// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The driver's ABI, and the registers of its page. */
@KernelConstants("rdma/vmw_pvrdma-abi.h")
public final class PvrdmaAbi {
    public static final int PVRDMA_UVERBS_ABI_VERSION = 3;

    public static final int PVRDMA_UAR_HANDLE_MASK = 0x00ffffff;

    public static final int PVRDMA_UAR_QP_OFFSET = 0;
    public static final int PVRDMA_UAR_QP_SEND = 1 << 30;

    public static final int PVRDMA_UAR_QP_RECV = 1 << 31;

    public static final int PVRDMA_UAR_CQ_OFFSET = 4;
    public static final int PVRDMA_UAR_CQ_ARM_SOL = 1 << 29;
    public static final int PVRDMA_UAR_CQ_ARM = 1 << 30;

    public static final int PVRDMA_UAR_CQ_POLL = 1 << 31;

    public static final int PVRDMA_UAR_SRQ_OFFSET = 8;
    public static final int PVRDMA_UAR_SRQ_RECV = 1 << 30;

    private PvrdmaAbi() {}
}
