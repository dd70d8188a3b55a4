// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The kind of packets that an entry of the GID table stands for, {@code enum ibv_gid_type}. */
@KernelConstants(value = "rdma/ib_user_ioctl_verbs.h", prefix = "IB_UVERBS_GID_TYPE_")
public enum GidType {
    /** {@code IB_UVERBS_GID_TYPE_IB}: InfiniBand packets. */
    IB(0),
    /** {@code IB_UVERBS_GID_TYPE_ROCE_V1}: InfiniBand packets in Ethernet frames. */
    ROCE_V1(1),
    /** {@code IB_UVERBS_GID_TYPE_ROCE_V2}: InfiniBand packets in UDP datagrams. */
    ROCE_V2(2),
    /** A number that this version has no name for; {@link GidEntry#rawGidType()} has it. */
    UNKNOWN(-1);

    private static final Codes<GidType> CODES = Codes.of(values(), GidType::code, UNKNOWN);

    private final int code;

    GidType(int code) {
        this.code = code;
    }

    /** The kernel's number ({@code IB_UVERBS_GID_TYPE_*}); -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** The type with a number of the kernel; {@link #UNKNOWN} for a number without a name. */
    public static GidType of(int code) {
        return CODES.get(code);
    }
}
