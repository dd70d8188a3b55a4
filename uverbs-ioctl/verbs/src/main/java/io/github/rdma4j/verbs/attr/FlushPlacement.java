// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;

/** How far a flush brings what was written, {@code enum ibv_placement_type}. */
@KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_FLUSH_", since = "6.3")
public enum FlushPlacement {
    /** {@code IBV_FLUSH_GLOBAL}: the processors and devices of the peer see it. */
    @CName(value = "IBV_FLUSH_GLOBAL", since = "6.3")
    GLOBAL(1),
    /** {@code IBV_FLUSH_PERSISTENT}: it outlasts a loss of power. */
    @CName(value = "IBV_FLUSH_PERSISTENT", since = "6.3")
    PERSISTENT(2);

    private final int code;

    FlushPlacement(int code) {
        this.code = code;
    }

    /** The number of the placement ({@code IBV_FLUSH_*}). */
    public int code() {
        return code;
    }
}
