// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx5.Cqe.ErrCqe;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import java.nio.ByteBuffer;

/** A completion queue of ConnectX. */
public final class Mlx5Cq extends ConnectxCq {
    private static final int SOLICITED_ONLY = 1 << 24;
    private static final int LAST_WORD = 60;
    private static final int TIMESTAMP = 48;
    private static final int SOLICITED = 2;
    /** The vendor syndromes of this device: that there is one, and which kind of queue saw it. */
    private static final int VENDOR_BASE = 0x60;

    /** What the device leaves in a new record, since the first arming may well be a word of zeros. */
    private static final int NEVER_ARMED = -1;

    /**
     * Where a completion queue is.
     *
     * @param number the number of the queue
     * @param ring the entries
     * @param record the doorbell record
     * @param entrySize bytes of an entry, 64 or 128
     * @param uar the page whose doorbell arms the queue
     */
    public record Place(int number, Pinned ring, Pinned record, int entrySize, UarPage uar) {}

    private final Place place;

    public Mlx5Cq(Card card, Place place) {
        super(place.number(), place.ring().length() / place.entrySize(), place.record(), card.noted(), card.events());
        this.place = place;
        neverArmed(NEVER_ARMED);
        place.record().setRelease(ARM_WORD, NEVER_ARMED);
    }

    UarPage uar() {
        return place.uar();
    }

    private int at(int index) {
        return (index & entries() - 1) * place.entrySize() + place.entrySize() - Cqe64.BYTES;
    }

    private int owner(int index) {
        return isOdd(index) ? 1 : 0;
    }

    @Override
    void write(int index, CardCompletion completion) {
        Syndrome syndrome = completion.syndrome;
        ByteBuffer entry = ByteBuffer.allocate(Cqe64.BYTES)
                .putInt(Cqe64.SRQN_UIDX, completion.index)
                .putInt(Cqe64.IMM_INVAL_PKEY, completion.immediate)
                .putInt(Cqe64.FLAGS_RQPN, completion.sourceFlags << 24 | completion.sourceQpn)
                .putInt(Cqe64.BYTE_CNT, completion.bytes)
                .putInt(Cqe64.SOP_DROP_QPN, completion.code << 24 | completion.qp.qpn())
                .putShort(Cqe64.WQE_COUNTER, (short) completion.counter);
        if (syndrome == null) {
            entry.putLong(TIMESTAMP, 0x5a5a_0000_0000L + index);
        } else {
            int vendor =
                    completion.pageFault ? CqeCodes.MLX5_CQE_VENDOR_SYNDROME_ODP_PFAULT : VENDOR_BASE + syndrome.code();
            entry.put(ErrCqe.VENDOR_ERR_SYND, (byte) vendor).put(ErrCqe.SYNDROME, (byte) syndrome.code());
        }
        entry.put(Cqe64.OP_OWN, (byte) (opcode(completion) << 4 | (completion.solicited ? SOLICITED : 0)));
        write(index, entry);
    }

    private static int opcode(CardCompletion completion) {
        boolean failed = completion.syndrome != null;
        if (completion.ofSend) {
            return failed ? CqeCodes.MLX5_CQE_REQ_ERR : CqeCodes.MLX5_CQE_REQ;
        }
        if (failed) {
            return CqeCodes.MLX5_CQE_RESP_ERR;
        }
        return switch (completion.operation) {
            case WRITE_IMM -> CqeCodes.MLX5_CQE_RESP_WR_IMM;
            case SEND_IMM -> CqeCodes.MLX5_CQE_RESP_SEND_IMM;
            default -> CqeCodes.MLX5_CQE_RESP_SEND;
        };
    }

    @Override
    void write(int index, ByteBuffer bytes) {
        place.ring().bytes().put(at(index), bytes, 0, LAST_WORD);
        place.ring().setRelease(at(index) + LAST_WORD, (bytes.getInt(LAST_WORD) & ~1) | owner(index));
    }

    @Override
    boolean asks(int word) {
        return word != NEVER_ARMED;
    }

    @Override
    boolean asksForSolicited(int word) {
        return (word & SOLICITED_ONLY) != 0;
    }
}
