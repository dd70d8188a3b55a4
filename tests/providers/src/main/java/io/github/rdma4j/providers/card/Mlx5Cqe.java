// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.CardFault.Syndrome;
import java.nio.ByteBuffer;

/** A completion of ConnectX, {@code struct mlx5_cqe64} or {@code struct mlx5_err_cqe}; the owner bit is the queue's. */
final class Mlx5Cqe {
    static final int BYTES = 64;

    static final int REQUEST = 0;
    static final int RECEIVED_WRITE_IMM = 1;
    static final int RECEIVED_SEND = 2;
    static final int RECEIVED_SEND_IMM = 3;
    static final int REQUEST_ERROR = 13;
    static final int RECEIVE_ERROR = 14;

    private static final int FLAGS_AND_SOURCE = 24;
    private static final int USER_INDEX = 32;
    private static final int IMMEDIATE = 36;
    private static final int BYTE_COUNT = 44;
    private static final int TIMESTAMP = 48;
    private static final int VENDOR_SYNDROME = 54;
    private static final int SYNDROME = 55;
    private static final int OPCODE_AND_QPN = 56;
    private static final int COUNTER = 60;

    /** The vendor syndromes of this device: that there is one, and which kind of queue saw it. */
    private static final int VENDOR_BASE = 0x60;

    /** {@code MLX5_CQE_VENDOR_SYNDROME_ODP_PFAULT} */
    private static final byte PAGE_FAULT = (byte) 0x93;

    private final ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    private final int opcode;
    private final boolean solicited;

    private Mlx5Cqe(int opcode, boolean solicited) {
        this.opcode = opcode;
        this.solicited = solicited;
    }

    static Mlx5Cqe of(CardCompletion completion) {
        Syndrome syndrome = completion.syndrome();
        Mlx5Cqe cqe = new Mlx5Cqe(opcode(completion), completion.isSolicited());
        cqe.bytes
                .putInt(USER_INDEX, completion.index())
                .putInt(IMMEDIATE, completion.immediate())
                .putInt(FLAGS_AND_SOURCE, completion.sourceFlags() << 24 | completion.sourceQpn())
                .putInt(BYTE_COUNT, completion.bytes())
                .putInt(
                        OPCODE_AND_QPN,
                        completion.code() << 24 | completion.qp().qpn())
                .putShort(COUNTER, (short) completion.counter());
        if (syndrome != null) {
            int vendor = completion.isPageFault() ? PAGE_FAULT : VENDOR_BASE + syndrome.code();
            cqe.bytes.put(VENDOR_SYNDROME, (byte) vendor).put(SYNDROME, (byte) syndrome.code());
        }
        return cqe;
    }

    private static int opcode(CardCompletion completion) {
        boolean failed = completion.syndrome() != null;
        if (completion.isOfSend()) {
            return failed ? REQUEST_ERROR : REQUEST;
        }
        if (failed) {
            return RECEIVE_ERROR;
        }
        return switch (completion.operation()) {
            case WRITE_IMM -> RECEIVED_WRITE_IMM;
            case SEND_IMM -> RECEIVED_SEND_IMM;
            default -> RECEIVED_SEND;
        };
    }

    Mlx5Cqe timestamp(long value) {
        if (!isError()) {
            bytes.putLong(TIMESTAMP, value);
        }
        return this;
    }

    boolean isError() {
        return opcode >= REQUEST_ERROR;
    }

    /** All but the last word, which hands the entry over. */
    void copyTo(ByteBuffer ring, int at) {
        ring.put(at, bytes.array(), 0, COUNTER);
    }

    int lastWord(int owner) {
        return bytes.getInt(COUNTER) | (opcode << 4 | (solicited ? 2 : 0) | owner);
    }
}
