// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SendView.BindView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A work request of a script. Its pieces lie in memory that both programs have at the same address, with the same bytes. */
public final class PlayedRequest implements SendView, ReceiveView, BindView {
    /** Where the memory of the pieces begins. */
    private static final long DATA = 0x2000_0000_0000L;

    private static final int DATA_BYTES = 1 << 20;
    private static final ByteBuffer BYTES = data();
    private static final List<String> OPERATIONS =
            List.of("write", "write_imm", "send", "send_imm", "read", "cas", "fadd", "local_inv", "bind", "send_inv");
    private static final String BIND = "bind";
    private static final String BIND_TYPE_2 = "bind2";
    private static final List<String> ATOMIC = List.of("cas", "fadd");
    private static final String FLAGS = "fsoi";
    private static final int INLINE = 8;

    /** Remote write, remote read and remote atomic operations. */
    private static final int RIGHTS = 2 | 4 | 8;

    private final String[] words;
    private final @Nullable AddressVector address;
    private final List<Piece> pieces = new ArrayList<>();

    private record Piece(int offset, int length, int key) {}

    private PlayedRequest(String[] words, int firstPiece, @Nullable AddressVector address) {
        this.words = words;
        this.address = address;
        for (int i = firstPiece; i < words.length; i++) {
            String[] parts = words[i].split(":", -1);
            pieces.add(new Piece(
                    Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseUnsignedInt(parts[2], 16)));
        }
    }

    /** {@code send QP ID OPERATION FLAGS IMMEDIATE REMOTE KEY COMPARE-ADD SWAP AH QPN|SRQN QKEY PIECE...} */
    public static PlayedRequest send(String[] words, @Nullable AddressVector address) {
        return new PlayedRequest(words, 13, address);
    }

    /** {@code recv QP ID PIECE...} */
    public static PlayedRequest receive(String[] words) {
        return new PlayedRequest(words, 3, null);
    }

    private static ByteBuffer data() {
        ByteBuffer data = ByteBuffer.allocate(DATA_BYTES);
        for (int i = 0; i < DATA_BYTES; i++) {
            data.put(i, (byte) (i * 31 + (i >> 8)));
        }
        return data;
    }

    /** The queue that the request is for. */
    String queue() {
        return words[1];
    }

    @Override
    public long wrId() {
        return Long.parseLong(words[2]);
    }

    @Override
    public int opcode() {
        return OPERATIONS.indexOf(isOfType2() ? BIND : words[3]);
    }

    /** Where other operations have the immediate data. */
    @Override
    public int invalidatedKey() {
        return immediate();
    }

    @Override
    public int flags() {
        int flags = 0;
        for (int i = 0; i < FLAGS.length(); i++) {
            flags |= words[4].indexOf(FLAGS.charAt(i)) < 0 ? 0 : 1 << i;
        }
        return flags;
    }

    @Override
    public int immediate() {
        return Integer.parseUnsignedInt(words[5], 16);
    }

    @Override
    public long remoteIova() {
        return Long.parseUnsignedLong(words[6], 16);
    }

    @Override
    public int rkey() {
        return Integer.parseUnsignedInt(words[7], 16);
    }

    @Override
    public boolean isAtomic() {
        return ATOMIC.contains(words[3]);
    }

    @Override
    public long compareAdd() {
        return Long.parseUnsignedLong(words[8], 16);
    }

    @Override
    public long swap() {
        return Long.parseUnsignedLong(words[9], 16);
    }

    @Override
    public @Nullable AddressVector address() {
        return address;
    }

    @Override
    public int remoteQpn() {
        return Integer.parseUnsignedInt(words[11], 16);
    }

    @Override
    public int remoteSrqn() {
        return remoteQpn();
    }

    @Override
    public int remoteQkey() {
        return Integer.parseUnsignedInt(words[12], 16);
    }

    @Override
    public @Nullable ByteBuffer inlineData() {
        if ((flags() & INLINE) == 0) {
            return null;
        }
        return pieces.isEmpty()
                ? BYTES.slice(0, 0)
                : BYTES.slice(pieces.get(0).offset(), pieces.get(0).length());
    }

    @Override
    public int numSge() {
        return pieces.size();
    }

    @Override
    public long totalLength() {
        return pieces.stream().mapToLong(Piece::length).sum();
    }

    @Override
    public long iova(int index) {
        return DATA + pieces.get(index).offset();
    }

    @Override
    public int length(int index) {
        return pieces.get(index).length();
    }

    @Override
    public int lkey(int index) {
        return pieces.get(index).key();
    }

    // ---- the binding of a memory window

    @Override
    public BindView binding() {
        return this;
    }

    @Override
    public int windowKey() {
        throw new UnsupportedOperationException("the old key of a window");
    }

    @Override
    public int newKey() {
        return rkey();
    }

    @Override
    public int regionKey() {
        return immediate();
    }

    @Override
    public long boundIova() {
        return remoteIova();
    }

    @Override
    public long boundLength() {
        return compareAdd();
    }

    @Override
    public int boundAccess() {
        return (int) swap() & RIGHTS;
    }

    @Override
    public boolean isOfType2() {
        return words[3].equals(BIND_TYPE_2);
    }
}
