// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.util.Map;

/** {@code MLX5_OPCODE_*} of work requests. */
final class Opcodes {
    static final int RDMA_WRITE = 0x08;
    static final int RDMA_WRITE_IMM = 0x09;
    static final int SEND = 0x0a;
    static final int SEND_IMM = 0x0b;
    static final int RDMA_READ = 0x10;
    static final int ATOMIC_CS = 0x11;
    static final int ATOMIC_FA = 0x12;

    /** What the device does for an opcode. */
    static final Map<Integer, Operation> OPERATIONS = Map.of(
            RDMA_WRITE, Operation.WRITE,
            RDMA_WRITE_IMM, Operation.WRITE_IMM,
            SEND, Operation.SEND,
            SEND_IMM, Operation.SEND_IMM,
            RDMA_READ, Operation.READ,
            ATOMIC_CS, Operation.COMPARE_AND_SWAP,
            ATOMIC_FA, Operation.FETCH_AND_ADD);

    private Opcodes() {}
}
