// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The drivers that an ioctl header names. */
@KernelConstants("rdma/ib_user_ioctl_verbs.h")
public final class DriverIds {
    public static final int RDMA_DRIVER_UNKNOWN = 0;
    public static final int RDMA_DRIVER_MLX5 = 1;
    public static final int RDMA_DRIVER_MLX4 = 2;
    public static final int RDMA_DRIVER_CXGB3 = 3;
    public static final int RDMA_DRIVER_CXGB4 = 4;
    public static final int RDMA_DRIVER_MTHCA = 5;
    public static final int RDMA_DRIVER_BNXT_RE = 6;
    public static final int RDMA_DRIVER_OCRDMA = 7;
    public static final int RDMA_DRIVER_NES = 8;
    public static final int RDMA_DRIVER_IRDMA = 9;
    public static final int RDMA_DRIVER_VMW_PVRDMA = 10;
    public static final int RDMA_DRIVER_QEDR = 11;
    public static final int RDMA_DRIVER_HNS = 12;
    public static final int RDMA_DRIVER_USNIC = 13;
    public static final int RDMA_DRIVER_RXE = 14;
    public static final int RDMA_DRIVER_HFI1 = 15;
    public static final int RDMA_DRIVER_QIB = 16;
    public static final int RDMA_DRIVER_EFA = 17;
    public static final int RDMA_DRIVER_SIW = 18;
    public static final int RDMA_DRIVER_ERDMA = 19;

    private DriverIds() {}
}
