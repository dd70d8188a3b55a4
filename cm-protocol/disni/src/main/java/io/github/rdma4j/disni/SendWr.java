// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A copy of one send request, with rdma4j's request of the same meaning. The setters only note that something has changed. */
final class SendWr extends IbvSendWR implements SVCPostSend.SendWRMod {
    final SendWorkRequest request;

    /** True when something was set anew since {@link #prepare}: of a request with inline data, always. */
    volatile boolean changed = true;

    /** True when rdma4j's request must be made from the beginning: more has changed than memory, here or at the peer. */
    private boolean allChanged = true;

    private boolean operationChanged = true;

    private final CountedPieces list;

    private final Handles.Qp qp;
    private final Remote remote;
    private final Piece[] pieces;

    /** Where inline data is gathered; null until there is some. */
    private @Nullable ByteBuffer inline;

    private long inlineAddress;

    SendWr(Handles.Qp qp, IbvSendWR from) {
        this.qp = qp;
        remote = new Remote(this, from.getRdma());
        rdma = remote;
        atomic = copy(from.getAtomic());
        pieces = new Piece[from.getSg_list().size()];
        Arrays.setAll(pieces, i -> new Piece(this, i, from.getSge(i)));
        sg_list.addAll(List.of(pieces));
        wr_id = from.getWr_id();
        num_sge = Math.min(from.getNum_sge(), pieces.length);
        opcode = from.getOpcode();
        send_flags = from.getSend_flags();
        imm_data = from.getImm_data();
        request = new SendWorkRequest(num_sge).wrId(wr_id);
        list = InnerVerbs.door().pieces(request);
    }

    private static Atomic copy(Atomic from) {
        Atomic copy = new Atomic();
        copy.setRemote_addr(from.getRemote_addr());
        copy.setRkey(from.getRkey());
        copy.setCompare_add(from.getCompare_add());
        copy.setSwap(from.getSwap());
        return copy;
    }

    /** Whether something was set anew, or a region was closed, for which another with its key may be there by now. */
    boolean mustBePrepared() {
        if (changed) {
            return true;
        }
        for (Piece piece : pieces) {
            if (piece.isGone()) {
                return true;
            }
        }
        return false;
    }

    /** Makes rdma4j's request what this one says. */
    void prepare() throws IOException {
        if (allChanged) {
            prepareAll();
            return;
        }
        if (operationChanged) {
            operation();
        }
        for (Piece piece : pieces) {
            piece.replaceIn(list);
        }
        changed = false;
    }

    private void prepareAll() throws IOException {
        boolean isInline = (send_flags & IBV_SEND_INLINE) != 0;
        request.clear();
        operation();
        if (isInline) {
            request.inline(gathered());
        } else {
            for (int i = 0; i < num_sge; i++) {
                pieces[i].addTo(request);
            }
        }
        flags();
        changed = isInline;
        // A piece without bytes was not added, and has no place that it could keep.
        allChanged = isInline || request.size() != pieces.length;
    }

    private void flags() {
        if ((send_flags & IBV_SEND_SIGNALED) != 0) {
            request.signaled();
        }
        if ((send_flags & IBV_SEND_SOLICITED) != 0) {
            request.solicited();
        }
        if ((send_flags & IBV_SEND_FENCE) != 0) {
            request.fenced();
        }
    }

    private void operation() {
        long address = remote.getRemote_addr();
        int rkey = remote.getRkey();
        switch (opcode) {
            case IBV_WR_SEND -> request.send();
            case IBV_WR_SEND_WITH_IMM -> request.sendWithImmediate(WireOrder.swap(imm_data));
            case IBV_WR_RDMA_WRITE -> request.rdmaWrite(address, rkey);
            case IBV_WR_RDMA_WRITE_WITH_IMM -> request.rdmaWriteWithImmediate(address, rkey, WireOrder.swap(imm_data));
            case IBV_WR_RDMA_READ -> request.rdmaRead(address, rkey);
            case IBV_WR_ATOMIC_CMP_AND_SWP ->
                request.compareAndSwap(
                        atomic.getRemote_addr(), atomic.getRkey(), atomic.getCompare_add(), atomic.getSwap());
            case IBV_WR_ATOMIC_FETCH_AND_ADD ->
                request.fetchAndAdd(atomic.getRemote_addr(), atomic.getRkey(), atomic.getCompare_add());
            default -> throw new IllegalArgumentException("the operation " + opcode);
        }
        operationChanged = false;
    }

    /** The bytes of all pieces, which need not be registered: as in C they are copied now, from wherever they lie. */
    private ByteBuffer gathered() {
        ByteBuffer into = inline;
        if (into == null) {
            into = ByteBuffer.allocateDirect(Math.max(1, qp.maxInline));
            inline = into;
            inlineAddress = NativeMemory.address(into);
        }
        int length = 0;
        for (int i = 0; i < num_sge; i++) {
            int bytes = pieces[i].getLength();
            if (bytes < 0 || bytes > qp.maxInline - length) {
                throw new IllegalArgumentException(
                        "inline data of more than the " + qp.maxInline + " bytes that the queue pair takes");
            }
            NativeMemory.copy(pieces[i].getAddr(), inlineAddress + length, bytes);
            length += bytes;
        }
        return into.limit(length).position(0);
    }

    @Override
    public void setWr_id(long wrId) {
        super.setWr_id(wrId);
        request.wrId(wrId);
    }

    @Override
    public void setSend_flags(int flags) {
        if (flags != send_flags) {
            super.setSend_flags(flags);
            allChanged = true;
            changed = true;
        }
    }

    @Override
    public SVCPostSend.RdmaMod getRdmaMod() {
        return remote;
    }

    @Override
    public SVCPostSend.SgeMod getSgeMod(int index) {
        return pieces[index];
    }

    /** Where at the peer. */
    private static final class Remote extends Rdma implements SVCPostSend.RdmaMod {
        private final SendWr wr;

        Remote(SendWr wr, Rdma from) {
            this.wr = wr;
            remote_addr = from.getRemote_addr();
            rkey = from.getRkey();
            reserved = from.getReserved();
        }

        @Override
        public void setRemote_addr(long address) {
            super.setRemote_addr(address);
            wr.operationChanged();
        }

        @Override
        public void setRkey(int key) {
            super.setRkey(key);
            wr.operationChanged();
        }
    }

    private void operationChanged() {
        operationChanged = true;
        changed = true;
    }

    /** A piece of memory, with the region that had its key when it was last posted. */
    private static final class Piece extends IbvSge implements SVCPostSend.SgeMod {
        private final SendWr wr;
        private final int index;
        private Handles.@Nullable Mr mr;

        Piece(SendWr wr, int index, IbvSge from) {
            this.wr = wr;
            this.index = index;
            addr = from.getAddr();
            length = from.getLength();
            lkey = from.getLkey();
        }

        void addTo(SendWorkRequest request) throws IOException {
            if (length != 0) {
                MemoryRegion region = region();
                request.add(region, addr - region.iova(), length);
            }
        }

        /** In the place that the piece had when it was last added or replaced. */
        void replaceIn(CountedPieces list) throws IOException {
            MemoryRegion region = region();
            list.replace(index, region, addr - region.iova(), length);
        }

        /** Whether the region of the last post is closed. */
        boolean isGone() {
            Handles.Mr now = mr;
            return length != 0 && now != null && !now.isOpen();
        }

        private MemoryRegion region() throws IOException {
            Handles.Mr now = mr;
            if (now == null || now.lkey() != lkey || !now.isOpen()) {
                now = wr.qp.region(lkey);
                mr = now;
            }
            return now.region;
        }

        @Override
        public void setAddr(long address) {
            super.setAddr(address);
            wr.changed = true;
        }

        @Override
        public void setLength(int bytes) {
            super.setLength(bytes);
            wr.changed = true;
            if (bytes == 0) {
                wr.allChanged = true;
            }
        }

        @Override
        public void setLkey(int key) {
            super.setLkey(key);
            wr.changed = true;
        }
    }
}
