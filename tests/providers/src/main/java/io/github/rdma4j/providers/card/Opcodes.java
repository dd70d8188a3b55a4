// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.util.Set;

/** {@code MLX5_OPCODE_*} of work requests. */
final class Opcodes {
    static final int RDMA_WRITE = 0x08;
    static final int RDMA_WRITE_IMM = 0x09;
    static final int SEND = 0x0a;
    static final int SEND_IMM = 0x0b;
    static final int RDMA_READ = 0x10;
    static final int ATOMIC_CS = 0x11;
    static final int ATOMIC_FA = 0x12;

    private static final Set<Integer> DATAGRAM = Set.of(SEND, SEND_IMM);
    private static final Set<Integer> UNRELIABLE = Set.of(SEND, SEND_IMM, RDMA_WRITE, RDMA_WRITE_IMM);
    private static final Set<Integer> RELIABLE =
            Set.of(SEND, SEND_IMM, RDMA_WRITE, RDMA_WRITE_IMM, RDMA_READ, ATOMIC_CS, ATOMIC_FA);

    private Opcodes() {}

    static boolean areTakenBy(int qpType, int opcode) {
        return switch (qpType) {
            case QpSpec.RC, QpSpec.XRC_INI -> RELIABLE.contains(opcode);
            case QpSpec.UC -> UNRELIABLE.contains(opcode);
            case QpSpec.UD -> DATAGRAM.contains(opcode);
            default -> false;
        };
    }

    /** What the device does for an opcode that a queue pair takes. */
    static Operation of(int opcode) {
        return switch (opcode) {
            case RDMA_WRITE -> Operation.WRITE;
            case RDMA_WRITE_IMM -> Operation.WRITE_IMM;
            case SEND_IMM -> Operation.SEND_IMM;
            case RDMA_READ -> Operation.READ;
            case ATOMIC_CS -> Operation.COMPARE_AND_SWAP;
            case ATOMIC_FA -> Operation.FETCH_AND_ADD;
            default -> Operation.SEND;
        };
    }
}
