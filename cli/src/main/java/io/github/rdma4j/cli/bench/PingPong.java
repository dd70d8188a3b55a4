// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.bench;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.Access;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.WorkCompletionStatus;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** Messages of one size back and forth over one connection, polled for and not waited for, as ib_send_lat does it. */
final class PingPong {
    static final int SIZE = 64;

    private static final int DEPTH = 64;
    private static final double NANOS_PER_MICRO = 1000.0;
    private static final int SIGNAL_EVERY = 32;

    /** Empty polls in a row, some tens of seconds of them, after which the peer is taken for lost. */
    private static final int PATIENCE = 200_000_000;

    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /** Longer than the kernel needs to find out that nobody answers. */
    private static final Duration PATIENCE_WITH_EVENTS = Duration.ofMinutes(2);

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
    private volatile @Nullable CmEvent end;

    private PingPong(CmId id) throws RdmaException {
        sends = id.context().createCq(DEPTH);
        receives = id.context().createCq(DEPTH);
        qp = id.createQp(QueuePairOptions.builder()
                .sendCq(sends)
                .receiveCq(receives)
                .maxSendWr(DEPTH)
                .maxReceiveWr(DEPTH)
                .maxInline(SIZE)
                .build());
        ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
        MemoryRegion region = id.pd().registerMr(buffer, EnumSet.of(Access.LOCAL_WRITE));
        receive.add(region, 0, SIZE);
        ByteBuffer message = ByteBuffer.allocateDirect(SIZE);
        signaled = new SendWorkRequest(0).send().inline(message).signaled();
        unsignaled = new SendWorkRequest(0).send().inline(message);
        for (int i = 0; i < DEPTH / 2; i++) {
            qp.postReceive(receive);
        }
    }

    /** Answers messages until the peer disconnects. */
    static void respond(InetSocketAddress address, PrintWriter out) throws RdmaException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                CmId listener = channel.createId(PortSpace.TCP)) {
            listener.bind(address);
            listener.listen(1);
            out.println("ready");
            out.flush();
            try (CmEvent request = expect(channel, CmEventType.CONNECT_REQUEST);
                    CmId id = request.id()) {
                PingPong pingPong = new PingPong(id);
                id.accept(ConnectionParameters.DEFAULT);
                pingPong.watch(channel);
                pingPong.echo();
            }
        }
    }

    /** Hears, in a thread of its own, of the end of the connection, which the polling thread would not see. */
    private void watch(EventChannel channel) {
        Thread events = new Thread(() -> heed(channel), "cm events");
        events.setDaemon(true);
        events.start();
    }

    private void heed(EventChannel channel) {
        try {
            while (true) {
                try (CmEvent event = channel.awaitEvent()) {
                    switch (event.type()) {
                        case DISCONNECTED, REJECTED, UNREACHABLE, CONNECT_ERROR, DEVICE_REMOVAL -> end = event;
                        default -> {
                            // Nothing ends.
                        }
                    }
                }
            }
        } catch (RdmaException | IllegalStateException closed) {
            // the measurement is over
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void echo() throws RdmaException {
        while (awaitMessage()) {
            send();
        }
    }

    /** What one measurement found: the median of half a round trip, and bytes allocated meanwhile. */
    record Measurement(double medianMicros, long allocatedBytes) {}

    /** Connects, warms up, measures and disconnects. */
    static Measurement measure(InetSocketAddress address, int warmUp, int iterations)
            throws RdmaException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.TCP)) {
            id.resolveAddress(address, RESOLVE_TIMEOUT);
            expect(channel, CmEventType.ADDR_RESOLVED).close();
            id.resolveRoute(RESOLVE_TIMEOUT);
            expect(channel, CmEventType.ROUTE_RESOLVED).close();
            PingPong pingPong = new PingPong(id);
            id.connect(ConnectionParameters.DEFAULT);
            expect(channel, CmEventType.ESTABLISHED).close();
            pingPong.watch(channel);
            pingPong.run(new long[warmUp]);
            long[] times = new long[iterations];
            long before = Allocations.ofThisThread();
            pingPong.run(times);
            long allocated = Allocations.ofThisThread() - before;
            id.disconnect();
            Arrays.sort(times);
            return new Measurement(times[iterations / 2] / NANOS_PER_MICRO, allocated);
        }
    }

    private static CmEvent expect(EventChannel channel, CmEventType type) throws RdmaException, InterruptedException {
        CmEvent event = channel.awaitEvent(PATIENCE_WITH_EVENTS)
                .orElseThrow(
                        () -> new RdmaException("no " + type + " within " + PATIENCE_WITH_EVENTS.toSeconds() + " s"));
        if (event.type() != type) {
            throw event.toException();
        }
        return event;
    }

    /** One look at the clock a round trip, as the C tool has it: from post to post. */
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
        // Only now, while the message is on its way: there are receives enough for those to come.
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

    /** True when the peer has ended the connection; the failure when something else has. */
    private boolean hasEnded() throws RdmaException {
        CmEvent event = end;
        if (event != null && event.type() != CmEventType.DISCONNECTED) {
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
