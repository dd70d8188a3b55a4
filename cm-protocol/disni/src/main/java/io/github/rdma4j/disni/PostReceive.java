// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prepared receives, which keep what they were made of; executing them a second time allocates nothing. */
final class PostReceive extends SVCPostRecv {
    private final Handles.Qp qp;
    private final QueuePair queue;
    private final Wr[] wrs;

    /** Null until the call was executed once: only then the regions must be there. */
    private ReceiveWorkRequest @Nullable [] requests;

    private boolean valid = true;

    PostReceive(Handles.Qp qp, List<IbvRecvWR> list) {
        this.qp = qp;
        this.queue = qp.qp;
        this.wrs = list.stream().map(Wr::new).toArray(Wr[]::new);
    }

    @Override
    public SVCPostRecv execute() throws IOException {
        if (!qp.isOpen()) {
            throw new IOException("the queue pair is closed");
        }
        try {
            ReceiveWorkRequest[] prepared = requests;
            if (prepared == null) {
                prepared = prepare();
                requests = prepared;
            }
            boolean all = prepared.length == 1
                    ? queue.tryPostReceive(prepared[0])
                    : queue.postReceive(prepared, prepared.length) == prepared.length;
            if (!all) {
                throw new IOException("ibv_post_recv: the receive queue is full");
            }
            return this;
        } catch (IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw Failures.io("ibv_post_recv", e);
        }
    }

    private ReceiveWorkRequest[] prepare() throws IOException {
        ReceiveWorkRequest[] made = new ReceiveWorkRequest[wrs.length];
        for (int i = 0; i < made.length; i++) {
            made[i] = wrs[i].request(qp);
        }
        return made;
    }

    @Override
    public RecvWRMod getWrMod(int index) {
        return wrs[index];
    }

    @Override
    public boolean isValid() {
        return valid;
    }

    @Override
    public SVCPostRecv free() {
        valid = false;
        return this;
    }

    /** A copy of one request. */
    private static final class Wr extends IbvRecvWR implements RecvWRMod {
        private final IbvSge[] pieces;

        Wr(IbvRecvWR from) {
            wr_id = from.getWr_id();
            pieces = from.getNum_sge() > 0 ? copies(from.getSg_list(), from.getNum_sge()) : new IbvSge[0];
            num_sge = pieces.length;
        }

        private static IbvSge[] copies(List<IbvSge> pieces, int count) {
            return pieces.stream().limit(count).map(Wr::copy).toArray(IbvSge[]::new);
        }

        private static IbvSge copy(IbvSge from) {
            IbvSge copy = new IbvSge();
            copy.setAddr(from.getAddr());
            copy.setLength(from.getLength());
            copy.setLkey(from.getLkey());
            return copy;
        }

        ReceiveWorkRequest request(Handles.Qp qp) throws IOException {
            ReceiveWorkRequest request = new ReceiveWorkRequest(num_sge).wrId(wr_id);
            for (IbvSge piece : pieces) {
                if (piece.getLength() != 0) {
                    Handles.Mr mr = qp.region(piece.getLkey());
                    request.add(mr.region, piece.getAddr() - mr.region.iova(), piece.getLength());
                }
            }
            return request;
        }
    }
}
