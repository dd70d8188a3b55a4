// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.disni;

import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prepared receives, which keep what they were made of; executing them a second time allocates nothing. */
final class PostReceive extends SVCPostRecv {
    private final Handles.Qp qp;
    private final QueuePair queue;
    private final Wr[] wrs;

    /** Null until the call was executed once: only then the regions must be there. */
    private @Nullable Prepared last;

    private boolean valid = true;

    /** rdma4j's requests, and the regions that had the keys when they were made. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Prepared(ReceiveWorkRequest[] requests, List<Handles.Mr> regions) {
        /** Whether a region is closed, for which another with its key may be there by now. */
        boolean isOutOfDate() {
            for (int i = 0; i < regions.size(); i++) {
                if (!regions.get(i).isOpen()) {
                    return true;
                }
            }
            return false;
        }
    }

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
            Prepared prepared = last;
            if (prepared == null || prepared.isOutOfDate()) {
                prepared = prepare();
                last = prepared;
            }
            ReceiveWorkRequest[] requests = prepared.requests;
            boolean all = requests.length == 1
                    ? queue.tryPostReceive(requests[0])
                    : queue.postReceive(requests, requests.length) == requests.length;
            if (!all) {
                throw new IOException("ibv_post_recv: the receive queue is full");
            }
            return this;
        } catch (IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw Failures.io("ibv_post_recv", e);
        }
    }

    private Prepared prepare() throws IOException {
        ReceiveWorkRequest[] made = new ReceiveWorkRequest[wrs.length];
        List<Handles.Mr> regions = new ArrayList<>();
        for (int i = 0; i < made.length; i++) {
            made[i] = wrs[i].request(qp, regions);
        }
        return new Prepared(made, regions);
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

        /** The request, whose regions are added to {@code regions}. */
        ReceiveWorkRequest request(Handles.Qp qp, List<Handles.Mr> regions) throws IOException {
            ReceiveWorkRequest request = new ReceiveWorkRequest(num_sge).wrId(wr_id);
            for (IbvSge piece : pieces) {
                if (piece.getLength() != 0) {
                    Handles.Mr mr = qp.region(piece.getLkey());
                    regions.add(mr);
                    request.add(mr.region, piece.getAddr() - mr.region.iova(), piece.getLength());
                }
            }
            return request;
        }
    }
}
