// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;

/** Conventions between user-space programs that use the connection manager. */
@KernelConstants("rdma/rdma_cma.h")
public final class RdmaCmaConstants {
    public static final int RDMA_MAX_RESP_RES = 255;

    private RdmaCmaConstants() {}
}
