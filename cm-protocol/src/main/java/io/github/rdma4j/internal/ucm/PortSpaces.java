// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The port spaces. */
@KernelConstants("rdma/rdma_user_cm.h")
public final class PortSpaces {
    public static final int RDMA_PS_IPOIB = 2;
    public static final int RDMA_PS_IB = 319;
    public static final int RDMA_PS_TCP = 262;
    public static final int RDMA_PS_UDP = 273;

    private PortSpaces() {}
}
