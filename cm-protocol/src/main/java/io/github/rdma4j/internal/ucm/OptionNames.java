// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The options of an id, by level, for {@link SetOptionCommand}. */
@KernelConstants("rdma/rdma_user_cm.h")
public final class OptionNames {
    public static final int RDMA_OPTION_ID = 0;
    public static final int RDMA_OPTION_IB = 1;

    /** Of level {@code RDMA_OPTION_ID}: type of service, one byte. */
    public static final int RDMA_OPTION_ID_TOS = 0;

    /** Of level {@code RDMA_OPTION_ID}: an address may be bound more than once, four bytes. */
    public static final int RDMA_OPTION_ID_REUSEADDR = 1;

    /** Of level {@code RDMA_OPTION_ID}: a wildcard stands for its own family alone, four bytes. */
    public static final int RDMA_OPTION_ID_AFONLY = 2;

    /** Of level {@code RDMA_OPTION_ID}: exponent of the acknowledgement's timeout, one byte. */
    public static final int RDMA_OPTION_ID_ACK_TIMEOUT = 3;

    /** Of level {@code RDMA_OPTION_IB}: the paths, {@link PathData} after {@link PathData}. */
    public static final int RDMA_OPTION_IB_PATH = 1;

    private OptionNames() {}
}
