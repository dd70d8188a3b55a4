// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

/** The commands that a {@link CardKernel} can be told to refuse, by whichever way they come. */
public enum KernelCommand {
    OPEN,
    GET_CONTEXT,
    ALLOC_PD,
    REG_MR,
    DEREG_MR,
    CREATE_CHANNEL,
    CREATE_CQ,
    RESIZE_CQ,
    DESTROY_CQ,
    CREATE_QP,
    MODIFY_QP,
    DESTROY_QP,
    CREATE_SRQ,
    DESTROY_SRQ,
    OPEN_XRCD,
    CLOSE_XRCD,
    CREATE_TARGET,
    OPEN_QP,
    CREATE_AH,
    ALLOC_UAR,
    MAP
}
