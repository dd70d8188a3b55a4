// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx4;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Cqe.ErrCqe;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.ResizeCq;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ConnectxQueues;
import io.github.rdma4j.providers.script.PlayedQueues;
import java.nio.ByteBuffer;

/** A completion queue of a script, and the device that writes its entries. */
final class Mlx4Completions extends PlayedQueues.Completions {
    private static final byte INITIAL = (byte) 0xcc;
    private static final int XRC_QPN = 1 << 23;

    private final ByteBuffer record;
    private final int entryBytes;
    private int entries;
    private int producer;

    Mlx4Completions(CompletionRing ring, CapturedRequest request, int entryBytes) {
        super(ring, request.memory(CreateCq.BUF_ADDR));
        this.entryBytes = entryBytes;
        this.record = request.memory(CreateCq.DB_ADDR);
        this.entries = ring.capacity() + 1;
        initialize();
    }

    private void initialize() {
        for (int i = 0; i < entries * entryBytes; i++) {
            memory().put(i, INITIAL);
        }
    }

    /** An entry has 32 bytes, at the end of its place. */
    private int at(int index) {
        return ((index & (entries - 1)) + 1) * entryBytes - CqeBytes.BYTES;
    }

    private byte owner(int index) {
        return (byte) ((index & entries) == 0 ? 0 : CqeCodes.MLX4_CQE_OWNER_MASK);
    }

    @Override
    protected String recordText() {
        return ConnectxQueues.record(record);
    }

    private static int hex(String word) {
        return Integer.parseUnsignedInt(word, 16);
    }

    /** {@code cqe CQ QP OPCODE INDEX SEND BYTES IMMEDIATE SOURCE SYNDROME VENDOR SERVICE LID} */
    @Override
    public void complete(PlayedQueues.Pair of, String[] words) {
        ByteBuffer entry = ByteBuffer.allocate(CqeBytes.BYTES);
        int send = words[5].equals("1") ? CqeCodes.MLX4_CQE_IS_SEND_MASK : 0;
        entry.putInt(CqeBytes.VLAN_MY_QPN, of.number());
        entry.putInt(CqeBytes.G_MLPATH_RQPN, hex(words[8]));
        entry.putShort(CqeBytes.SL_VID, (short) hex(words[11]));
        entry.putShort(CqeBytes.RLID, (short) hex(words[12]));
        entry.putShort(CqeBytes.WQE_INDEX, (short) Integer.parseInt(words[4]));
        complete(entry, hex(words[3]) | send, words, 9);
    }

    /** {@code xcqe CQ XSRQ TARGET-QPN OPCODE ENTRY BYTES IMMEDIATE SYNDROME VENDOR} */
    @Override
    protected void complete(PlayedQueues.Shared of, String[] words) {
        ByteBuffer entry = ByteBuffer.allocate(CqeBytes.BYTES);
        entry.putInt(CqeBytes.VLAN_MY_QPN, XRC_QPN | hex(words[3]));
        entry.putInt(CqeBytes.G_MLPATH_RQPN, of.number());
        entry.putShort(CqeBytes.WQE_INDEX, (short) Integer.parseInt(words[5]));
        complete(entry, hex(words[4]), words, 8);
    }

    private void complete(ByteBuffer entry, int operation, String[] words, int syndromeAt) {
        entry.putInt(CqeBytes.IMMED_RSS_INVALID, hex(words[7]));
        entry.putInt(CqeBytes.BYTE_CNT, Integer.parseUnsignedInt(words[6]));
        if ((operation & CqeCodes.MLX4_CQE_OPCODE_MASK) == CqeCodes.MLX4_CQE_OPCODE_ERROR) {
            entry.put(ErrCqe.SYNDROME, (byte) hex(words[syndromeAt]));
            entry.put(ErrCqe.VENDOR_ERR, (byte) hex(words[syndromeAt + 1]));
        }
        entry.put(CqeBytes.OWNER_SR_OPCODE, (byte) operation);
        write(entry);
    }

    /** Writes any 32 bytes, with the owner bit of this lap. */
    @Override
    protected void write(ByteBuffer entry) {
        int operation = entry.get(CqeBytes.OWNER_SR_OPCODE) & ~CqeCodes.MLX4_CQE_OWNER_MASK;
        entry.put(CqeBytes.OWNER_SR_OPCODE, (byte) (operation | owner(producer)));
        memory().put(at(producer++), entry, 0, CqeBytes.BYTES);
    }

    /** The device leaves the old ring with an entry that says so, and goes on in the new one; it keeps a ring of the same size. */
    @Override
    public void resize(CapturedRequest request, int asked) {
        if (asked + 1 == entries) {
            return;
        }
        ByteBuffer left = ByteBuffer.allocate(CqeBytes.BYTES);
        write(left.put(CqeBytes.OWNER_SR_OPCODE, (byte) CqeCodes.MLX4_CQE_OPCODE_RESIZE));
        moveTo(request.memory(ResizeCq.BUF_ADDR));
        entries = asked + 1;
        initialize();
        for (int index = producer; index != producer + entries; index++) {
            byte other = (byte) (owner(index) ^ CqeCodes.MLX4_CQE_OWNER_MASK);
            memory().put(at(index) + CqeBytes.OWNER_SR_OPCODE, other);
        }
    }
}
