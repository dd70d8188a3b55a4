// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The type of a memory window, {@code enum ibv_mw_type}. */
@KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_MW_")
public enum MemoryWindowType {
    /** {@code IBV_MW_TYPE_1}: for all queue pairs of the protection domain; bound anew at any time. */
    TYPE_1(1),
    /** {@code IBV_MW_TYPE_2}: for the queue pair that bound it, until it is invalidated, by either side. */
    TYPE_2(2);

    private final int code;

    MemoryWindowType(int code) {
        this.code = code;
    }

    /** The kernel's number ({@code IBV_MW_TYPE_*}). */
    public int code() {
        return code;
    }
}
