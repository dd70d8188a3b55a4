// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;

/** How an id is a member of a multicast group ({@code rdma_join_multicast_ex(3)}). */
@KernelConstants("rdma/rdma_user_cm.h")
public enum MulticastMode {
    /** {@code RDMA_MC_JOIN_FLAG_FULLMEMBER}: sends and receives. */
    @CName("RDMA_MC_JOIN_FLAG_FULLMEMBER")
    FULL_MEMBER(0),
    /** {@code RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER}: sends, does not receive, and keeps the group alive. */
    @CName("RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER")
    SEND_ONLY_FULL_MEMBER(1);

    private final int code;

    MulticastMode(int code) {
        this.code = code;
    }

    /** The kernel's number ({@code RDMA_MC_JOIN_FLAG_*}), a value and not a bit. */
    public int code() {
        return code;
    }
}
