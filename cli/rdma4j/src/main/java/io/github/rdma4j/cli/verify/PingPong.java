// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Exchanges messages of one size over a connection, and polls for completions, as ib_send_lat does. */
final class PingPong {
    static final int SIZE = 64;

    private static final int DEPTH = 64;
    private static final double NANOS_PER_MICRO = 1000.0;
    private static final int SIGNAL_EVERY = 32;
    private static final int WARM_UP_PART = 500;

    /** Number of empty polls, some tens of seconds, after which the peer counts as lost. */
    private static final int PATIENCE = 200_000_000;

    /** Longer than the kernel needs to find out that nobody answers. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final QueuePair qp;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
    private final SendWorkRequest signaled;
    private final SendWorkRequest unsignaled;
    private final WorkCompletion[] completions = WorkCompletion.array(DEPTH);
    private int sent;
    private int available;
    private int owed;

    /** The event that ended the connection; written by the event loop, read by the thread that polls. */
    private volatile @Nullable CmEvent end;

    private PingPong(CmConnection connection) throws RdmaException {
        sends = connection.queues().sendCq().orElseThrow();
        receives = connection.queues().receiveCq().orElseThrow();
        qp = connection.qp();
        ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
        receive.add(connection.own(connection.queues().registerMessages(buffer)), 0, SIZE);
        ByteBuffer message = ByteBuffer.allocateDirect(SIZE);
        signaled = new SendWorkRequest(0).send().inline(message).signaled();
        unsignaled = new SendWorkRequest(0).send().inline(message);
        for (int i = 0; i < DEPTH / 2; i++) {
            qp.postReceive(receive);
        }
        connection.onEvent(event -> {
            if (event.type().endsConnection()) {
                end = event;
            }
        });
    }

    /** The options of a connection with an exchange attached, which is ready before the peer may send. */
    private static ConnectOptions options() {
        return ConnectOptions.builder()
                .timeout(LIMIT)
                .queuePair(QueuePairOptions.builder()
                        .maxSendWr(DEPTH)
                        .maxReceiveWr(DEPTH)
                        .maxInline(SIZE)
                        .build())
                .prepare(connection -> connection.id().attach(new PingPong(connection)))
                .build();
    }

    private static PingPong over(CmConnection connection) {
        return (PingPong) Objects.requireNonNull(connection.id().attachment());
    }

    /** Answers messages until the peer disconnects. */
    static void respond(InetSocketAddress address, PrintWriter out) throws RdmaException, InterruptedException {
        try (CmEventLoop loop = CmEventLoop.open();
                CmListener listener = loop.listen(address, 1)) {
            out.println("ready");
            out.flush();
            CmRequest request = loop.await(listener.nextRequest(), LIMIT);
            try (CmConnection connection = loop.await(request.accept(options()), LIMIT)) {
                over(connection).echo();
            }
        }
    }

    private void echo() throws RdmaException {
        while (awaitMessage()) {
            send();
        }
    }

    /** Connects, warms up, measures and disconnects. */
    static Latency.Measurement measure(InetSocketAddress address, int warmUp, Duration warmUpLimit, int iterations)
            throws RdmaException, InterruptedException {
        try (CmEventLoop loop = CmEventLoop.open();
                CmConnection connection = loop.await(loop.connect(address, options()), LIMIT)) {
            PingPong pingPong = over(connection);
            pingPong.warmUp(warmUp, System.nanoTime() + warmUpLimit.toNanos());
            long[] times = new long[iterations];
            long before = Allocations.ofThisThread();
            pingPong.run(times);
            long allocated = Allocations.ofThisThread() - before;
            Arrays.sort(times);
            return new Latency.Measurement(times[iterations / 2] / NANOS_PER_MICRO, allocated);
        }
    }

    private void warmUp(int roundTrips, long deadline) throws RdmaException {
        long[] times = new long[WARM_UP_PART];
        for (int done = 0; done < roundTrips && System.nanoTime() < deadline; done += times.length) {
            run(times);
        }
    }

    /** Reads the clock once per round trip, as the C tool does: from post to post. */
    private void run(long[] times) throws RdmaException {
        long last = System.nanoTime();
        for (int i = 0; i < times.length; i++) {
            send();
            if (!awaitMessage()) {
                throw new RdmaException("the responder has gone");
            }
            long now = System.nanoTime();
            times[i] = (now - last) / 2;
            last = now;
        }
    }

    private void send() throws RdmaException {
        sent++;
        if (sent % SIGNAL_EVERY == 0) {
            qp.postSend(signaled);
            check(sends.poll(completions));
        } else {
            qp.postSend(unsignaled);
        }
        // Posted while the message is under way: enough receives are left for the next messages.
        while (owed > 0) {
            qp.postReceive(receive);
            owed--;
        }
    }

    /** False when the connection has ended. */
    private boolean awaitMessage() throws RdmaException {
        for (int emptyPolls = 0; available == 0; emptyPolls++) {
            int polled = receives.poll(completions);
            if (!check(polled)) {
                return false;
            }
            available += polled;
            owed += polled;
            if (polled == 0 && hasEnded()) {
                return false;
            }
            if (emptyPolls == PATIENCE) {
                throw new RdmaException("no message in " + PATIENCE + " polls; " + qp + " is " + qp.query());
            }
        }
        available--;
        return true;
    }

    /** True when the peer has ended the connection; throws when the device was removed. */
    private boolean hasEnded() throws RdmaException {
        CmEvent event = end;
        if (event != null && event.type() == CmEventType.DEVICE_REMOVAL) {
            throw event.toException();
        }
        return event != null;
    }

    private boolean check(int polled) throws RdmaException {
        for (int i = 0; i < polled; i++) {
            if (completions[i].status() == WorkCompletionStatus.WR_FLUSH_ERR) {
                return false;
            }
            if (!completions[i].isSuccess()) {
                throw new WorkCompletionException(completions[i]);
            }
        }
        return true;
    }
}
