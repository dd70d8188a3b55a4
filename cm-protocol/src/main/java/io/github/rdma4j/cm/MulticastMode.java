// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.JoinFlags;

/** How an id is a member of a multicast group ({@code rdma_join_multicast_ex(3)}). */
public enum MulticastMode {
    /** {@code RDMA_MC_JOIN_FLAG_FULLMEMBER}: sends and receives. */
    FULL_MEMBER(JoinFlags.RDMA_MC_JOIN_FLAG_FULLMEMBER),
    /** {@code RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER}: sends, does not receive, and keeps the group alive. */
    SEND_ONLY_FULL_MEMBER(JoinFlags.RDMA_MC_JOIN_FLAG_SENDONLY_FULLMEMBER);

    private final int code;

    MulticastMode(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
