// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import io.github.rdma4j.lab.mlx5.card.CardFault.Syndrome;
import io.github.rdma4j.lab.mlx5.card.ReceiveSource.ReceiveElement;
import java.nio.ByteBuffer;

/** A completion in the making, {@code struct mlx5_cqe64} or {@code struct mlx5_err_cqe}; the owner bit is the queue's. */
final class Cqe {
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
    private boolean solicited;

    private Cqe(int opcode, CardQp qp, int index) {
        this.opcode = opcode;
        bytes.putInt(USER_INDEX, qp.completionIndex());
        bytes.putInt(OPCODE_AND_QPN, qp.qpn());
        bytes.putShort(COUNTER, (short) index);
    }

    /** A send that has been carried out. */
    static Cqe sent(CardQp qp, SendElement element, int byteCount) {
        Cqe cqe = new Cqe(REQUEST, qp, element.index());
        cqe.bytes.putInt(OPCODE_AND_QPN, element.opcode() << 24 | qp.qpn());
        cqe.bytes.putInt(BYTE_COUNT, byteCount);
        return cqe;
    }

    /** A receive that a message has used. */
    static Cqe received(int opcode, CardQp qp, ReceiveElement element, int byteCount) {
        Cqe cqe = new Cqe(opcode, qp, element.counter());
        cqe.bytes.putInt(BYTE_COUNT, byteCount);
        return cqe;
    }

    /** A send that failed or was flushed. */
    static Cqe sendFailed(CardQp qp, int index, int wqeOpcode, Syndrome syndrome) {
        Cqe cqe = new Cqe(REQUEST_ERROR, qp, index).failed(syndrome);
        cqe.bytes.putInt(OPCODE_AND_QPN, wqeOpcode << 24 | qp.qpn());
        return cqe;
    }

    /** A receive that failed or was flushed. */
    static Cqe receiveFailed(CardQp qp, int counter, Syndrome syndrome) {
        return new Cqe(RECEIVE_ERROR, qp, counter).failed(syndrome);
    }

    /** A receive of a shared queue whose page the device did not find: the message comes again. */
    static Cqe pageFault(CardQp qp, int counter) {
        Cqe cqe = receiveFailed(qp, counter, Syndrome.REMOTE_ABORTED_ERR);
        cqe.bytes.put(VENDOR_SYNDROME, PAGE_FAULT);
        return cqe;
    }

    /** The receive was one of a queue of XRC, whose completions carry the queue's number. */
    Cqe of(int completionIndex) {
        bytes.putInt(USER_INDEX, completionIndex);
        return this;
    }

    private Cqe failed(Syndrome syndrome) {
        solicited = true;
        bytes.put(VENDOR_SYNDROME, (byte) (VENDOR_BASE + syndrome.code()));
        bytes.put(SYNDROME, (byte) syndrome.code());
        return this;
    }

    Cqe immediate(int value) {
        bytes.putInt(IMMEDIATE, value);
        return this;
    }

    /** {@code flags} are the bits above the source's number: which kind of GRH there is, and the service level. */
    Cqe source(int flags, int qpn) {
        bytes.putInt(FLAGS_AND_SOURCE, flags << 24 | qpn);
        return this;
    }

    Cqe solicited(boolean value) {
        solicited = value;
        return this;
    }

    Cqe timestamp(long value) {
        if (!isError()) {
            bytes.putLong(TIMESTAMP, value);
        }
        return this;
    }

    boolean isSolicited() {
        return solicited;
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
