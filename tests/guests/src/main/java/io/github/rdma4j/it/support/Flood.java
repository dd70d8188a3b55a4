// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A thread that keeps both queues of an end full, or the send queue with RDMA writes, and polls. It demands that each request
 * completes once and in order, and goes on after a failure until all that it posted has completed, or the end is closed.
 */
public final class Flood {
    public static final int SENDS = 32;
    public static final int RECEIVES = 128;

    /** The receiver may be slower than the sender. */
    public static final ConnectionParameters PARAMETERS =
            ConnectionParameters.builder().retryCount(7).rnrRetryCount(7).build();

    private static final int BYTES = 64;
    private static final int RNR_TIMER = 12;

    private final End end;
    private final Taking taking;
    private final int receiveDepth;
    private final WorkCompletion[] batch = WorkCompletion.array(16);
    private final SendWorkRequest send = new SendWorkRequest(1).send().signaled();
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
    private final Lane sends = new Lane(0);
    private final Lane receives = new Lane(1);

    /** Completions, for other threads. */
    private final AtomicLong moved = new AtomicLong();

    private volatile boolean failed;
    private volatile @Nullable Exception ending;

    /** How completions are taken. */
    public interface Taking {
        int take(WorkCompletion[] into) throws RdmaException, InterruptedException;
    }

    /** How the completions of an end are taken, for ends that are to be made yet. */
    public interface Way {
        Taking of(Loopback.Side side) throws RdmaException;
    }

    /** Requests of one queue: their numbers are even or odd. */
    private static final class Lane {
        private final int parity;
        private long posted;
        private long completed;

        Lane(int parity) {
            this.parity = parity;
        }

        long next() {
            return 2 * posted++ + parity;
        }

        void complete(WorkCompletion completion) {
            if (completed == posted || completion.wrId() != 2 * completed + parity) {
                throw new AssertionError(
                        completion + " after " + completed + " completions of " + posted + " requests");
            }
            completed++;
        }

        long inFlight() {
            return posted - completed;
        }
    }

    private Flood(End end, Taking taking, int receiveDepth) {
        this.end = end;
        this.taking = taking;
        this.receiveDepth = receiveDepth;
        send.add(end.region(), 0, BYTES);
        receive.add(end.region(), BYTES, BYTES);
    }

    /** Of a connection to be flooded. */
    public static Loopback.Setup setup() {
        return Loopback.setup()
                .cqEntries(SENDS + RECEIVES)
                .qp(options -> options.maxSendWr(SENDS).maxReceiveWr(RECEIVES));
    }

    /** By polling alone. */
    public static Flood polling(End end) throws RdmaException {
        return of(end, end.cq()::poll);
    }

    /** Arms the queue and sleeps in {@code set}, with all else that may happen to the end. */
    public static Taking selecting(ReadinessSet set, End end) throws RdmaException {
        set.add(end.channel());
        set.add(end.context().asyncEvents());
        return into -> {
            int polled = end.cq().poll(into);
            if (polled == 0) {
                end.cq().requestNotification(false);
                polled = end.cq().poll(into);
            }
            if (polled == 0) {
                set.await(Await.LIMIT);
                end.channel().awaitEvent(Duration.ZERO);
            }
            return polled;
        };
    }

    /** With receives posted, so that the peer may begin. */
    public static Flood of(End end, Taking taking) throws RdmaException {
        Flood flood = new Flood(end, taking, RECEIVES);
        flood.postReceives();
        return flood;
    }

    /** Of RDMA writes to {@code iova}, for devices on which a sender must not outrun the receiver. */
    public static Flood writing(End end, Taking taking, long iova, int rkey) {
        Flood flood = new Flood(end, taking, 0);
        flood.send.rdmaWrite(iova, rkey);
        return flood;
    }

    /** Floods until all is over; tells how many requests have completed. Connect before. */
    public Await.Running<Long> start() throws RdmaException {
        if (receiveDepth > 0) {
            end.qp().modify(QpAttr.builder().minRnrTimer(RNR_TIMER).build());
        }
        return Await.inThread(this::run);
    }

    private void postReceives() throws RdmaException {
        while (receives.inFlight() < receiveDepth && !failed) {
            end.qp().postReceive(receive.wrId(receives.next()));
        }
    }

    private void postSends() throws RdmaException {
        while (sends.inFlight() < SENDS && !failed) {
            end.qp().postSend(send.wrId(sends.next()));
        }
    }

    private long run() throws InterruptedException {
        try {
            while (!failed || sends.inFlight() + receives.inFlight() > 0) {
                postReceives();
                postSends();
                int polled = taking.take(batch);
                for (int i = 0; i < polled; i++) {
                    complete(batch[i]);
                }
                moved.addAndGet(polled);
                if (polled == 0) {
                    Thread.onSpinWait();
                }
            }
        } catch (IllegalStateException | RdmaException closed) {
            ending = closed;
        }
        return moved.get();
    }

    private void complete(WorkCompletion completion) {
        failed |= !completion.isSuccess();
        Lane lane = (completion.wrId() & 1) == 0 ? sends : receives;
        lane.complete(completion);
    }

    /** Waits until that many requests have completed. */
    public void awaitFullRate() {
        Await.until("requests complete", () -> moved.get() > 2000 || failed);
        if (failed) {
            throw new AssertionError("the queue pair has failed: " + end.qp());
        }
    }

    /** What ended it; null when everything that was posted has completed. */
    @Nullable
    public Exception ending() {
        return ending;
    }
}
