// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.Elements.Operations;
import io.github.rdma4j.internal.erdma.Elements.SendHeader;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.util.Arrays;

/** The operations of sends: numbers of the kernel, of the device, and of completions. */
final class SendOperations {
    private static final byte NONE = -1;

    private static final byte[] OPERATIONS = operations();
    private static final byte[] COMPLETIONS = completions();

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

    private static byte[] completions() {
        byte[] completions = new byte[SendHeader.OPERATION_MASK + 1];
        Arrays.fill(completions, (byte) WorkCompletionOpcode.SEND.code());
        completions[Operations.WRITE] = (byte) WorkCompletionOpcode.RDMA_WRITE.code();
        completions[Operations.WRITE_WITH_IMM] = (byte) WorkCompletionOpcode.RDMA_WRITE.code();
        completions[Operations.READ] = (byte) WorkCompletionOpcode.RDMA_READ.code();
        completions[Operations.ATOMIC_CAS] = (byte) WorkCompletionOpcode.COMP_SWAP.code();
        completions[Operations.ATOMIC_FAA] = (byte) WorkCompletionOpcode.FETCH_ADD.code();
        return completions;
    }

    /** The device's number for the kernel's {@code opcode}. */
    static int of(int opcode) {
        int operation = opcode < 0 || opcode >= OPERATIONS.length ? NONE : OPERATIONS[opcode];
        if (operation == NONE) {
            throw new IllegalArgumentException("the provider of erdma has no operation " + opcode
                    + ": no memory windows, no local invalidation, no flush, no atomic write");
        }
        return operation;
    }

    /** The completion opcode for the device's {@code operation}, {@code IBV_WC_*}. */
    static int completion(int operation) {
        return COMPLETIONS[operation];
    }
}
