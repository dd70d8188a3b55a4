// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.provider;

import io.github.rdma4j.internal.erdma.Elements.Completion;
import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import java.nio.ByteBuffer;
import java.util.Random;

/** Completions of random bytes, half of which name one of the queue pairs of a {@link CardPair}, or none by a little. */
record ForgedCompletions(CardKind kind, CardPair pair, Random random) {
    private static final int LARGE = 64;
    private static final int SMALL = 32;
    private static final int BNXT_TYPE = 24;
    private static final int BNXT_TYPES = 15;
    private static final int USER_INDEX = 32;
    private static final int MLX5_QPN = 56;

    ByteBuffer next() {
        return switch (kind) {
            case MLX5, MLX5_CQE0 -> ofMlx5();
            case MLX4, MLX4_CQE32 -> {
                ByteBuffer entry = bytes(LARGE);
                yield random.nextBoolean() ? entry.putInt(CqeBytes.VLAN_MY_QPN, qpn()) : entry;
            }
            case BNXT_P4, BNXT_P5, BNXT_P7 -> ofBnxt();
            case ERDMA -> {
                ByteBuffer entry = bytes(SMALL);
                entry.put(2, (byte) random.nextInt(3));
                yield random.nextBoolean() ? entry.putInt(Completion.QPN, qpn()) : entry;
            }
            case IRDMA_E810, IRDMA_E810_IWARP, IRDMA_X722 -> {
                ByteBuffer entry = bytes(SMALL);
                yield random.nextBoolean() ? entry.putLong(Long.BYTES, index()) : entry;
            }
            case IRDMA_GEN3 -> {
                ByteBuffer entry = bytes(LARGE);
                int at = Long.BYTES + (random.nextBoolean() ? 0 : SMALL);
                yield random.nextBoolean() ? entry.putLong(at, index()) : entry;
            }
        };
    }

    private ByteBuffer ofMlx5() {
        ByteBuffer entry = bytes(LARGE);
        if (random.nextBoolean()) {
            entry.putInt(USER_INDEX, random.nextInt(3)).putInt(MLX5_QPN, qpn());
        }
        return entry;
    }

    /** All types but that by which the device leaves the ring. */
    private ByteBuffer ofBnxt() {
        ByteBuffer entry = bytes(SMALL).put(BNXT_TYPE, (byte) (random.nextInt(BNXT_TYPES) << 1));
        return random.nextBoolean() ? entry.putLong(random.nextBoolean() ? 0 : Long.BYTES, index()) : entry;
    }

    private ByteBuffer bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private int qpn() {
        return pair.client().qpn() + random.nextInt(3);
    }

    /** The index by which a provider calls a queue pair: the first is 0 and counted as 1, the other 1 and 2. */
    private long index() {
        int which = random.nextInt(3);
        return Long.reverseBytes((long) (which + 1) << 24 | which);
    }
}
