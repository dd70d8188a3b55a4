// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;

/** How to be a member of a group, for {@link JoinMcastCommand}: values, not bits. */
@KernelConstants("rdma/rdma_user_cm.h")
public final class JoinFlags {
    /** Sends and receives. */
    public static final int RDMA_MC_JOIN_FLAG_FULLMEMBER = 0;

    /** Sends only, and keeps the group alive. */
    public static final int RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER = 1;

    private JoinFlags() {}
}
