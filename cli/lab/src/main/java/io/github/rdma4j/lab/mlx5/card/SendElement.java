// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import io.github.rdma4j.lab.mlx5.card.MemoryKey.Segment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A work request of a send queue.
 *
 * @param index the counter of its first block
 * @param opcode {@code MLX5_OPCODE_*}
 * @param blocks 64-byte blocks that it takes
 * @param flags {@code fm_ce_se}
 * @param immediate as on the wire
 * @param srqn the peer's shared receive queue, of an initiator of XRC
 * @param address the datagram's address vector, null for a connected queue pair
 * @param remote the peer's memory; of length 0 for a plain send
 * @param operand what an atomic operation swaps in or adds
 * @param compare what must be there for a swap
 * @param pieces the local memory
 * @param inline the data itself, null when it is in {@code pieces}
 */
record SendElement(
        int index,
        int opcode,
        int blocks,
        int flags,
        int immediate,
        int srqn,
        @Nullable ByteBuffer address,
        Segment remote,
        long operand,
        long compare,
        List<Segment> pieces,
        @Nullable ByteBuffer inline) {
    static final int BLOCK = 64;
    static final int OCTOWORDS_PER_BLOCK = BLOCK / Segment.BYTES;
    static final int FENCE = 0x80;
    static final int SIGNALED = 0x08;
    static final int SOLICITED = 0x02;

    boolean isFenced() {
        return (flags & FENCE) != 0;
    }

    boolean isSignaled() {
        return (flags & SIGNALED) != 0;
    }

    boolean isSolicited() {
        return (flags & SOLICITED) != 0;
    }

    /** Bytes of local memory or inline data. */
    long length() {
        return inline != null ? inline.capacity() : Segment.total(pieces);
    }

    static int blocks(int octowords) {
        return (octowords + OCTOWORDS_PER_BLOCK - 1) / OCTOWORDS_PER_BLOCK;
    }

    /** {@code MLX5_OPCODE_*} of work requests. */
    static final class Opcodes {
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
                case QueuePairSpec.RC, QueuePairSpec.XRC_INI -> RELIABLE.contains(opcode);
                case QueuePairSpec.UC -> UNRELIABLE.contains(opcode);
                case QueuePairSpec.UD -> DATAGRAM.contains(opcode);
                default -> false;
            };
        }

        static boolean isAtomic(int opcode) {
            return opcode == ATOMIC_CS || opcode == ATOMIC_FA;
        }

        /** Whether the peer answers with data. */
        static boolean isAnswered(int opcode) {
            return opcode == RDMA_READ || isAtomic(opcode);
        }

        static boolean hasRemoteAddress(int opcode) {
            return isAnswered(opcode) || opcode == RDMA_WRITE || opcode == RDMA_WRITE_IMM;
        }

        static boolean isSend(int opcode) {
            return opcode == SEND || opcode == SEND_IMM;
        }

        static boolean hasImmediate(int opcode) {
            return opcode == SEND_IMM || opcode == RDMA_WRITE_IMM;
        }
    }
}
