// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.uverbs.WorkRequests.RecentOpcodes;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.QueuePairType;

/** The operations of send work requests: which queue pair types support them, and their names for messages. */
final class SendOperations {
    /** The number of bytes that an atomic operation changes. */
    static final int ATOMIC_BYTES = Long.BYTES;

    /** {@code IB_UVERBS_WR_FLUSH}. */
    static final int FLUSH = RecentOpcodes.IB_UVERBS_WR_FLUSH;

    /** {@code IB_UVERBS_WR_ATOMIC_WRITE}. */
    static final int ATOMIC_WRITE = RecentOpcodes.IB_UVERBS_WR_ATOMIC_WRITE;

    private SendOperations() {}

    /** Returns true for an operation on a local memory window; allocates nothing. */
    static boolean namesWindow(int opcode) {
        return opcode == WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW || opcode == WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV;
    }

    /** Returns true for an operation that uses no local memory; allocates nothing. */
    static boolean hasNoMemory(int opcode) {
        return namesWindow(opcode) || opcode == FLUSH || opcode == ATOMIC_WRITE;
    }

    /** Returns true if queue pairs of the type support the operation; allocates nothing. */
    static boolean carries(QueuePairType type, int opcode) {
        if (type == QueuePairType.XRC_TGT) {
            return false;
        }
        return switch (opcode) {
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND, WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM -> true;
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE, WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM ->
                type != QueuePairType.UD;
            case WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW -> type != QueuePairType.UD;
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV,
                    WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV,
                    FLUSH,
                    ATOMIC_WRITE,
                    WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ,
                    WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP,
                    WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD ->
                type == QueuePairType.RC || type == QueuePairType.XRC_INI;
            default -> false;
        };
    }

    static String name(int opcode) {
        return switch (opcode) {
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND -> "send";
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM -> "send with immediate data";
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE -> "RDMA write";
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM -> "RDMA write with immediate data";
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ -> "RDMA read";
            case WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP -> "atomic compare and swap";
            case WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD -> "atomic fetch and add";
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV -> "send with invalidate";
            case WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV -> "local invalidate";
            case WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW -> "bind of a memory window";
            case FLUSH -> "flush";
            case ATOMIC_WRITE -> "atomic write";
            default -> "operation " + opcode;
        };
    }
}
