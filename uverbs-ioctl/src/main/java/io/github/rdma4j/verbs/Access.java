// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.uverbs.AccessFlags;
import java.util.Set;

/** Access rights of a memory region, {@code enum ibv_access_flags}. Local reads are always allowed. */
public enum Access {
    /** {@code IBV_ACCESS_LOCAL_WRITE}: receives and the results of RDMA reads may be put there. */
    LOCAL_WRITE(AccessFlags.IB_UVERBS_ACCESS_LOCAL_WRITE),
    /** {@code IBV_ACCESS_REMOTE_WRITE}: the peer may RDMA write; needs LOCAL_WRITE as well. */
    REMOTE_WRITE(AccessFlags.IB_UVERBS_ACCESS_REMOTE_WRITE),
    /** {@code IBV_ACCESS_REMOTE_READ}: the peer may RDMA read. */
    REMOTE_READ(AccessFlags.IB_UVERBS_ACCESS_REMOTE_READ),
    /** {@code IBV_ACCESS_REMOTE_ATOMIC}: the peer may use atomic operations; needs LOCAL_WRITE as well. */
    REMOTE_ATOMIC(AccessFlags.IB_UVERBS_ACCESS_REMOTE_ATOMIC);

    private final int flag;

    Access(int flag) {
        this.flag = flag;
    }

    /** The bits of {@code access} as the kernel takes them. */
    static int flags(Set<Access> access) {
        int flags = 0;
        for (Access each : access) {
            flags |= each.flag;
        }
        return flags;
    }
}
