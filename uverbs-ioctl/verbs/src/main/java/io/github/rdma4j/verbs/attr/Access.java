// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** Access rights of a memory region or a queue pair, {@code enum ibv_access_flags}. Local reads are always allowed. */
@KernelConstants(value = "rdma/ib_user_ioctl_verbs.h", prefix = "IB_UVERBS_ACCESS_")
public enum Access {
    /** {@code IBV_ACCESS_LOCAL_WRITE}: the device may write received messages and RDMA read results to the region. */
    LOCAL_WRITE(1),
    /** {@code IBV_ACCESS_REMOTE_WRITE}: the peer may write by RDMA; requires {@link #LOCAL_WRITE}. */
    REMOTE_WRITE(2),
    /** {@code IBV_ACCESS_REMOTE_READ}: the peer may read by RDMA. */
    REMOTE_READ(4),
    /** {@code IBV_ACCESS_REMOTE_ATOMIC}: the peer may use atomic operations; requires {@link #LOCAL_WRITE}. */
    REMOTE_ATOMIC(8),
    /** {@code IBV_ACCESS_MW_BIND}: memory windows may be bound to the region. */
    MW_BIND(16),
    /**
     * {@code IBV_ACCESS_ON_DEMAND}: pages are not pinned; requires {@link DeviceAttr.OnDemandPaging#isSupported()}. Refused
     * with EOPNOTSUPP on rxe, which accesses wrong bytes of the pages in Linux 7.2.
     */
    ON_DEMAND(64),
    /** {@code IBV_ACCESS_HUGETLB}: the memory consists of huge pages. */
    HUGETLB(128),
    /** {@code IBV_ACCESS_FLUSH_GLOBAL}: the peer may flush its writes to global visibility. */
    @CName(value = "IB_UVERBS_ACCESS_FLUSH_GLOBAL", since = "6.3")
    FLUSH_GLOBAL(256),
    /** {@code IBV_ACCESS_FLUSH_PERSISTENT}: the peer may flush its writes to persistence. */
    @CName(value = "IB_UVERBS_ACCESS_FLUSH_PERSISTENT", since = "6.3")
    FLUSH_PERSISTENT(512),
    /**
     * {@code IBV_ACCESS_RELAXED_ORDERING}: the device may write out of order. Devices without this feature ignore the
     * flag.
     */
    RELAXED_ORDERING(1 << 20);

    private final int code;

    Access(int code) {
        this.code = code;
    }

    /** Returns the bit of the access right ({@code IB_UVERBS_ACCESS_*}). */
    public int code() {
        return code;
    }

    /** Returns the bits of {@code access} as in the {@code access_flags} of the C interface. */
    public static int flags(Set<Access> access) {
        int flags = 0;
        for (Access each : access) {
            flags |= each.code;
        }
        return flags;
    }

    /** Returns the access rights whose bits are set in {@code flags}; unknown bits are ignored. */
    public static Set<Access> ofFlags(int flags) {
        EnumSet<Access> access = EnumSet.noneOf(Access.class);
        for (Access each : values()) {
            if ((flags & each.code) != 0) {
                access.add(each);
            }
        }
        return Collections.unmodifiableSet(access);
    }
}
