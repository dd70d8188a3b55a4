// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import io.github.rdma4j.it.support.Flood;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A dispatched queue pair at full rate: handlers that post receives again, and threads that send and wait for room. Each request
 * has a handler of its own, which must be called once.
 */
final class DispatchedFlood {
    private static final int POSTERS = 3;
    private static final int BYTES = 64;
    private static final int RNR_TIMER = 12;

    private final AsyncQueuePair qp;
    private final MemoryRegion region;
    private final AtomicLong posted = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final List<Await.Running<String>> posters = new ArrayList<>();
    private volatile boolean over;

    DispatchedFlood(AsyncQueuePair qp, MemoryRegion region) {
        this.qp = qp;
        this.region = region;
    }

    /** Of one request. */
    private final class Once implements WorkCompletion.Handler {
        private final long number = posted.incrementAndGet();
        private final boolean receives;
        private final AtomicLong calls = new AtomicLong();

        Once(boolean receives) {
            this.receives = receives;
        }

        @Override
        public void onCompletion(WorkCompletion completion) throws RdmaException {
            if (calls.incrementAndGet() > 1 || completion.wrId() != number) {
                wrong.add(completion + " for request " + number + ", " + calls + " times");
            }
            completed.incrementAndGet();
            over |= !completion.isSuccess();
            if (receives && !over) {
                receive();
            }
        }
    }

    /** Before the connection, so that the peer may begin. */
    void postReceives() throws RdmaException {
        for (int i = 0; i < Flood.RECEIVES; i++) {
            receive();
        }
    }

    private void receive() throws RdmaException {
        Once once = new Once(true);
        try {
            qp.receive(new ReceiveWorkRequest(1).wrId(once.number).add(region, BYTES, BYTES), once);
        } catch (IllegalStateException closed) {
            over = true;
            posted.decrementAndGet();
        }
    }

    void start() throws RdmaException {
        qp.queuePair().modify(QpAttr.builder().minRnrTimer(RNR_TIMER).build());
        for (int i = 0; i < POSTERS; i++) {
            posters.add(Await.inThread(this::send));
        }
    }

    /** Returns why it ended. */
    private String send() throws Exception {
        while (!over) {
            Once once = new Once(false);
            try {
                SendWorkRequest request =
                        new SendWorkRequest(1).wrId(once.number).send();
                if (!qp.send(request.add(region, 0, BYTES), once, Await.LIMIT)) {
                    return "nothing completed within " + Await.LIMIT;
                }
            } catch (IllegalStateException closed) {
                posted.decrementAndGet();
                return "closed";
            }
        }
        return "failed";
    }

    void awaitFullRate() {
        Await.until("requests complete", () -> completed.get() > 2000 || over);
        if (over) {
            throw new AssertionError("the queue pair has failed: " + qp);
        }
    }

    /** The posters have ended, and every request was completed, once. */
    void assertOver() throws Exception {
        for (Await.Running<String> poster : posters) {
            String end = poster.result();
            if (!end.equals("closed") && !end.equals("failed")) {
                throw new AssertionError(end);
            }
        }
        Await.until("all have completed", () -> completed.get() == posted.get());
        if (!wrong.isEmpty()) {
            throw new AssertionError(wrong);
        }
    }
}
