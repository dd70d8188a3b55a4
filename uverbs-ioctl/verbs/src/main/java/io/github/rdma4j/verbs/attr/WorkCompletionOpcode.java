// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;

/** The operation of a completed work request, {@code enum ibv_wc_opcode}. */
@KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_WC_")
public enum WorkCompletionOpcode {
    /** {@code IBV_WC_SEND}: a send. */
    SEND(0),
    /** {@code IBV_WC_RDMA_WRITE}: an RDMA write. */
    RDMA_WRITE(1),
    /** {@code IBV_WC_RDMA_READ}: an RDMA read. */
    RDMA_READ(2),
    /** {@code IBV_WC_COMP_SWAP}: an atomic compare and swap. */
    COMP_SWAP(3),
    /** {@code IBV_WC_FETCH_ADD}: an atomic fetch and add. */
    FETCH_ADD(4),
    /** {@code IBV_WC_BIND_MW}: a bind of a memory window. */
    BIND_MW(5),
    /** {@code IBV_WC_LOCAL_INV}: a local invalidation of a memory key. */
    LOCAL_INV(6),
    /** {@code IBV_WC_TSO}: a send with TCP segmentation by the device. */
    TSO(7),
    /** {@code IBV_WC_FLUSH}: a flush. */
    @CName(value = "IBV_WC_FLUSH", since = "6.3")
    FLUSH(8),
    /** {@code IBV_WC_ATOMIC_WRITE}: an atomic write. */
    @CName(value = "IBV_WC_ATOMIC_WRITE", since = "6.3")
    ATOMIC_WRITE(9),
    /** {@code IBV_WC_RECV}: a receive of a message. */
    RECV(128),
    /** {@code IBV_WC_RECV_RDMA_WITH_IMM}: a receive of the immediate data of an RDMA write. */
    RECV_RDMA_WITH_IMM(129),
    /** A number unknown to this version; see {@code WorkCompletion.rawOpcode}. */
    UNKNOWN(-1);

    private static final Codes<WorkCompletionOpcode> CODES = Codes.of(values(), WorkCompletionOpcode::code, UNKNOWN);

    private final int code;

    WorkCompletionOpcode(int code) {
        this.code = code;
    }

    /** Returns the kernel's number ({@code IBV_WC_*}), or -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** Returns the operation with the kernel's number {@code code}, or {@link #UNKNOWN} for an unknown number. */
    public static WorkCompletionOpcode of(int code) {
        return CODES.get(code);
    }
}
