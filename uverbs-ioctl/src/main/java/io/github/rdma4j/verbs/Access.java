// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Access rights of a memory region or a queue pair, {@code enum ibv_access_flags}. Local reads are always allowed. */
@KernelConstants(value = "rdma/ib_user_ioctl_verbs.h", prefix = "IB_UVERBS_ACCESS_")
public enum Access {
    /** {@code IBV_ACCESS_LOCAL_WRITE}: receives and the results of RDMA reads may be put there. */
    LOCAL_WRITE(1),
    /** {@code IBV_ACCESS_REMOTE_WRITE}: the peer may RDMA write; needs LOCAL_WRITE as well. */
    REMOTE_WRITE(2),
    /** {@code IBV_ACCESS_REMOTE_READ}: the peer may RDMA read. */
    REMOTE_READ(4),
    /** {@code IBV_ACCESS_REMOTE_ATOMIC}: the peer may use atomic operations; needs LOCAL_WRITE as well. */
    REMOTE_ATOMIC(8);

    private final int code;

    Access(int code) {
        this.code = code;
    }

    /** The bit of the access right ({@code IB_UVERBS_ACCESS_*}). */
    int code() {
        return code;
    }

    /** The bits of {@code access} as the kernel takes them. */
    static int flags(Set<Access> access) {
        int flags = 0;
        for (Access each : access) {
            flags |= each.code;
        }
        return flags;
    }

    /** The rights among {@code flags} that have a name. */
    static Set<Access> ofFlags(int flags) {
        EnumSet<Access> access = EnumSet.noneOf(Access.class);
        for (Access each : values()) {
            if ((flags & each.code) != 0) {
                access.add(each);
            }
        }
        return Collections.unmodifiableSet(access);
    }
}
