// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.provider.SendView.AddressVector;
import io.github.rdma4j.internal.provider.SendView.BindView;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values that were set in a {@link SendWorkRequest}, as the ring reads them. */
final class SendState implements SendView, BindView {
    final ScatterGatherList pieces;
    long wrId;
    int opcode = WorkRequestOpcodes.IB_UVERBS_WR_SEND;
    int flags;
    int immediate;
    long remoteIova;
    int rkey;

    /** The inline data: a buffer of the program, or {@link #gathered}. */
    @Nullable
    ByteBuffer inline;

    /** True if the bytes of the pieces are the inline data. */
    boolean gathers;

    private @Nullable ByteBuffer gathered;

    @Nullable
    AddressHandle address;

    int remoteQpn;
    int remoteQkey;

    /** Negative for a request that names no shared receive queue. */
    int remoteSrqn = -1;

    long compareAdd;
    long swap;

    @Nullable
    MemoryWindow window;

    @Nullable
    MemoryRegion bound;

    long boundOffset;
    long boundLength;
    int boundAccess;

    SendState(int maxSge) {
        pieces = new ScatterGatherList(maxSge);
    }

    /** Marks the pieces as changed since a send queue last checked them; returns this. */
    SendState changing() {
        pieces.changed();
        return this;
    }

    /** Copies the pieces into one buffer if they are to be sent inline; allocates only for a new maximum of bytes. */
    void gather() {
        if (gathers) {
            int length = Math.toIntExact(pieces.total());
            ByteBuffer into = gathered;
            if (into == null || into.capacity() < length) {
                into = ByteBuffer.allocateDirect(length);
                gathered = into;
            }
            pieces.copyTo(into.clear().limit(length));
            inline = into.flip();
        }
    }

    @Override
    public long wrId() {
        return wrId;
    }

    @Override
    public int invalidatedKey() {
        return opcode == WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV ? windowKey() : rkey;
    }

    @Override
    public BindView binding() {
        return this;
    }

    @Override
    public int windowKey() {
        return Objects.requireNonNull(window).rkey();
    }

    @Override
    public int newKey() {
        return Objects.requireNonNull(window).nextKey();
    }

    @Override
    public int regionKey() {
        return Objects.requireNonNull(bound).lkey();
    }

    @Override
    public long boundIova() {
        return Objects.requireNonNull(bound).iova() + boundOffset;
    }

    @Override
    public long boundLength() {
        return boundLength;
    }

    @Override
    public int boundAccess() {
        return boundAccess;
    }

    @Override
    public boolean isOfType2() {
        return Objects.requireNonNull(window).type() == MemoryWindow.Type.TYPE_2;
    }

    @Override
    public int flushTypes() {
        return boundAccess;
    }

    @Override
    public int opcode() {
        return opcode;
    }

    @Override
    public int flags() {
        return flags;
    }

    @Override
    public int immediate() {
        return immediate;
    }

    @Override
    public long remoteIova() {
        return remoteIova;
    }

    @Override
    public int rkey() {
        return rkey;
    }

    @Override
    public boolean isAtomic() {
        return opcode == WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD
                || opcode == WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP;
    }

    @Override
    public long compareAdd() {
        return compareAdd;
    }

    @Override
    public long swap() {
        return swap;
    }

    @Override
    public @Nullable AddressVector address() {
        AddressHandle ah = address;
        return ah != null ? ah.vector() : null;
    }

    @Override
    public int remoteQpn() {
        return remoteQpn;
    }

    @Override
    public int remoteQkey() {
        return remoteQkey;
    }

    @Override
    public int remoteSrqn() {
        return remoteSrqn;
    }

    @Override
    public @Nullable ByteBuffer inlineData() {
        return inline;
    }

    @Override
    public int numSge() {
        return pieces.size();
    }

    @Override
    public long totalLength() {
        ByteBuffer data = inline;
        if (data != null && !gathers) {
            return data.remaining();
        }
        return opcode == SendOperations.FLUSH ? boundLength : pieces.total();
    }

    @Override
    public long iova(int index) {
        return pieces.address(index);
    }

    @Override
    public int length(int index) {
        return pieces.length(index);
    }

    @Override
    public int lkey(int index) {
        return pieces.lkey(index);
    }
}
