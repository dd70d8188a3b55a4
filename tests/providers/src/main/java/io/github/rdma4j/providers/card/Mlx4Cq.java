// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Cqe.ErrCqe;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import java.nio.ByteBuffer;

/** A completion queue of ConnectX-3. */
public final class Mlx4Cq extends ConnectxCq {
    private static final int INDEX_MASK = 0xff_ffff;
    private static final int KIND_MASK = CqeCodes.MLX4_CQ_DB_REQ_NOT_SOL | CqeCodes.MLX4_CQ_DB_REQ_NOT;
    private static final int LAST_WORD = CqeBytes.RESERVED3;
    private static final int VENDOR_BASE = 0x60;
    private static final int PRIORITY_SHIFT = 13;
    private static final int SERVICE_LEVEL = 7;
    private static final int GRH_FLAGS = 0x30;
    private static final byte INITIAL = (byte) 0xcc;

    /**
     * Where a completion queue is.
     *
     * @param number the number of the queue
     * @param ring the entries
     * @param record the doorbell record
     * @param entrySize bytes of an entry, 32 or 64
     * @param page the page whose doorbell arms the queue
     */
    public record Place(int number, Pinned ring, Pinned record, int entrySize, Mlx4Page page) {}

    private final Place place;
    private Pinned ring;

    public Mlx4Cq(Card card, Place place) {
        super(place.number(), place.ring().length() / place.entrySize(), place.record(), card.noted(), card.events());
        this.place = place;
        this.ring = place.ring();
        initialize();
    }

    /** Gives the process none of the entries. */
    private void initialize() {
        for (int i = 0; i < ring.length(); i++) {
            ring.bytes().put(i, INITIAL);
        }
        for (int index = written(); index != written() + entries(); index++) {
            ring.bytes().put(at(index) + CqeBytes.OWNER_SR_OPCODE, (byte) ((INITIAL & 0x7f) | (owner(index) ^ 0x80)));
        }
    }

    Mlx4Page page() {
        return place.page();
    }

    private int at(int index) {
        return ((index & entries() - 1) + 1) * place.entrySize() - CqeBytes.BYTES;
    }

    private int owner(int index) {
        return isOdd(index) ? CqeCodes.MLX4_CQE_OWNER_MASK : 0;
    }

    @Override
    void write(int index, CardCompletion completion) {
        ByteBuffer entry = ByteBuffer.allocate(CqeBytes.BYTES);
        Syndrome syndrome = completion.syndrome;
        boolean ofTarget = completion.qp.is(QpSpec.XRC_TGT);
        int source = ((completion.sourceFlags & GRH_FLAGS) == 0 ? 0 : 1 << 31) | completion.sourceQpn;
        entry.putInt(CqeBytes.VLAN_MY_QPN, completion.qp.qpn())
                .putInt(CqeBytes.IMMED_RSS_INVALID, completion.immediate)
                .putInt(CqeBytes.G_MLPATH_RQPN, ofTarget ? completion.index : source)
                .putShort(CqeBytes.SL_VID, (short) ((completion.sourceFlags & SERVICE_LEVEL) << PRIORITY_SHIFT))
                .putInt(CqeBytes.BYTE_CNT, completion.bytes)
                .putShort(CqeBytes.WQE_INDEX, (short) completion.counter);
        if (syndrome != null) {
            entry.put(ErrCqe.VENDOR_ERR, (byte) (VENDOR_BASE + syndrome.code()));
            entry.put(ErrCqe.SYNDROME, (byte) syndrome.code());
        }
        entry.put(CqeBytes.OWNER_SR_OPCODE, (byte) operation(completion));
        write(index, entry);
    }

    private static int operation(CardCompletion completion) {
        int send = completion.ofSend ? CqeCodes.MLX4_CQE_IS_SEND_MASK : 0;
        if (completion.syndrome != null) {
            return send | CqeCodes.MLX4_CQE_OPCODE_ERROR;
        }
        if (completion.ofSend) {
            return send | completion.code;
        }
        return switch (completion.operation) {
            case WRITE_IMM -> CqeCodes.MLX4_RECV_OPCODE_RDMA_WRITE_IMM;
            case SEND_IMM -> CqeCodes.MLX4_RECV_OPCODE_SEND_IMM;
            case SEND_INV -> CqeCodes.MLX4_RECV_OPCODE_SEND_INVAL;
            default -> CqeCodes.MLX4_RECV_OPCODE_SEND;
        };
    }

    @Override
    void write(int index, ByteBuffer bytes) {
        ring.bytes().put(at(index), bytes, 0, LAST_WORD);
        int last = bytes.getInt(LAST_WORD) & ~CqeCodes.MLX4_CQE_OWNER_MASK;
        ring.setRelease(at(index) + LAST_WORD, last | owner(index));
    }

    /** Leaves the ring with an entry that says so, and goes on in another. */
    public void moveTo(Pinned other) {
        ByteBuffer left = ByteBuffer.allocate(CqeBytes.BYTES);
        forge(left.put(CqeBytes.OWNER_SR_OPCODE, (byte) CqeCodes.MLX4_CQE_OPCODE_RESIZE));
        ring = other;
        resized(other.length() / place.entrySize());
        initialize();
    }

    /** The doorbell of the queue has been rung. */
    void arm(long doorbell) {
        arm(((int) (doorbell >>> Integer.SIZE) & ~INDEX_MASK) | ((int) doorbell & INDEX_MASK));
    }

    @Override
    boolean asks(int word) {
        int kind = word & KIND_MASK;
        boolean known = kind == CqeCodes.MLX4_CQ_DB_REQ_NOT_SOL || kind == CqeCodes.MLX4_CQ_DB_REQ_NOT;
        if (!known) {
            complaints().add(String.format("CQ 0x%x armed with 0x%x", number(), word));
        }
        return known;
    }

    @Override
    boolean asksForSolicited(int word) {
        return (word & KIND_MASK) == CqeCodes.MLX4_CQ_DB_REQ_NOT_SOL;
    }
}
