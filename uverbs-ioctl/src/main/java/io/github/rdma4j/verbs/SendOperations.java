// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.uverbs.WorkRequestOpcodes;

/** The operations of send work requests in words, for messages. */
final class SendOperations {
    private SendOperations() {}

    static String name(int opcode) {
        return switch (opcode) {
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND -> "send";
            case WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM -> "send with immediate data";
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE -> "RDMA write";
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM -> "RDMA write with immediate data";
            case WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ -> "RDMA read";
            case WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP -> "atomic compare and swap";
            case WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD -> "atomic fetch and add";
            default -> "operation " + opcode;
        };
    }
}
