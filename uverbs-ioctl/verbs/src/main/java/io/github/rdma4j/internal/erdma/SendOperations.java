// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.Elements.Operations;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.util.Arrays;

/** The operations of sends by the numbers of the kernel, of the device, and of completions. */
final class SendOperations {
    private static final byte NONE = -1;

    private static final byte[] OPERATIONS = operations();

    private SendOperations() {}

    private static byte[] operations() {
        byte[] operations = new byte[WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV + 1];
        Arrays.fill(operations, NONE);
        operations[WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE] = Operations.WRITE;
        operations[WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM] = Operations.WRITE_WITH_IMM;
        operations[WorkRequestOpcodes.IB_UVERBS_WR_SEND] = Operations.SEND;
        operations[WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM] = Operations.SEND_WITH_IMM;
        operations[WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ] = Operations.READ;
        operations[WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP] = Operations.ATOMIC_CAS;
        operations[WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD] = Operations.ATOMIC_FAA;
        operations[WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV] = Operations.SEND_WITH_INV;
        return operations;
    }

    /** The device's number of the operation that is the kernel's {@code opcode}. */
    static int of(int opcode) {
        int operation = opcode < 0 || opcode >= OPERATIONS.length ? NONE : OPERATIONS[opcode];
        if (operation == NONE) {
            throw new IllegalArgumentException("the provider of erdma has no operation " + opcode
                    + ": no memory windows, no local invalidation, no flush, no atomic write");
        }
        return operation;
    }

    /** What a completion of the device's {@code operation} reports, {@code IBV_WC_*}. */
    static int completion(int operation) {
        return switch (operation) {
            case Operations.WRITE, Operations.WRITE_WITH_IMM -> WorkCompletionOpcode.RDMA_WRITE.code();
            case Operations.READ -> WorkCompletionOpcode.RDMA_READ.code();
            case Operations.ATOMIC_CAS -> WorkCompletionOpcode.COMP_SWAP.code();
            case Operations.ATOMIC_FAA -> WorkCompletionOpcode.FETCH_ADD.code();
            default -> WorkCompletionOpcode.SEND.code();
        };
    }
}
