// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a run, the completion queues that they share, and their memory. As in perftest, the memory starts
 * with a part for each queue pair to send from and read into, followed by a part for each queue pair that the peer
 * sends to, writes or reads.
 */
final class TestBed implements AutoCloseable {
    private static final int ALIGNMENT = 4096;

    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    final List<TestLink> links = new ArrayList<>();
    private final int half;
    private final Duration patience;
    final CompletionChannel channel;
    private final CompletionQueue sendCq;
    private final CompletionQueue receiveCq;
    final Completions sends;
    final Completions receives;
    final ByteBuffer memory;
    final MemoryRegion region;
    private final @Nullable SharedReceiveQueue srq;
    PerfOptions options;
    Spread spread;

    /** The event that ended a connection; written by the event loop, read by the measuring thread. */
    private volatile @Nullable CmEvent end;

    private final CountDownLatch ended = new CountDownLatch(1);

    TestBed(CmId id, PerfOptions options, Spread spread) throws RdmaException {
        this.options = options;
        this.spread = spread;
        half = spread.half();
        patience = options.step();
        try {
            DeviceContext context = id.context();
            int pairs = options.queuePairs;
            channel = own(context.createCompletionChannel());
            sendCq = own(createCq(context, (long) pairs * options.depth()));
            receiveCq = own(createCq(context, pairs * (options.receiveDepth() + 1L)));
            int bytes = 2 * half * pairs + Grh.BYTES;
            memory = ByteBuffer.allocateDirect(bytes + 2 * ALIGNMENT)
                    .alignedSlice(ALIGNMENT)
                    .limit(bytes);
            region = own(id.pd().registerMr(memory, rights(options.program())));
            srq = options.sharedReceives
                    ? own(id.pd()
                            .createSrq(SharedReceiveQueueOptions.builder()
                                    .maxReceiveWr(Math.max(1, pairs * options.receiveDepth()))
                                    .build()))
                    : null;
        } catch (Throwable e) {
            FirstFailure.closeAfter(e, this);
            throw e;
        }
        sends = new Completions(this, sendCq);
        receives = new Completions(this, receiveCq);
    }

    private CompletionQueue createCq(DeviceContext context, long entries) throws RdmaException {
        int most = context.queryDevice().maxCqe();
        if (entries > most) {
            throw new RdmaException(
                    options.queuePairs + " queue pairs (-q) need a completion queue of " + entries + " entries, and "
                            + context.device().name() + " makes queues of up to " + most + ": lower -q or -t");
        }
        return context.createCq((int) entries, 0, channel);
    }

    /** Registers a resource that is closed with the bed, before earlier registered resources. */
    <T extends AutoCloseable> T own(T resource) {
        owned.push(resource);
        return resource;
    }

    private static Set<Access> rights(PerfProgram program) {
        return switch (program.verb()) {
            case SEND -> EnumSet.of(Access.LOCAL_WRITE);
            case WRITE -> EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            case READ -> EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ);
            case ATOMIC -> EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC);
        };
    }

    QueuePairOptions queuePair() {
        QueuePairOptions.Builder builder = QueuePairOptions.builder()
                .type(options.isDatagram() ? QueuePairType.UD : QueuePairType.RC)
                .sendCq(sendCq)
                .receiveCq(receiveCq)
                .maxSendWr(options.depth())
                .maxInline(options.largestInlined());
        return (srq == null ? builder.maxReceiveWr(Math.max(1, options.receiveDepth())) : builder.srq(srq)).build();
    }

    /** Posts a receive of the queue pair, or of the queue that all queue pairs share. */
    void postReceive(QueuePair qp, ReceiveWorkRequest request) throws RdmaException {
        if (srq == null) {
            qp.postReceive(request);
        } else {
            srq.postReceive(request);
        }
    }

    TestLink add(CmId id, QueuePair qp) {
        TestLink link = new TestLink(this, links.size(), id, qp);
        links.add(link);
        return link;
    }

    /** Prepares for a run with messages of the size in {@code now}. */
    void begin(PerfOptions now, Spread places) throws RdmaException {
        options = now;
        spread = places;
        for (TestLink link : links) {
            link.begin();
        }
    }

    /** Handles an event of a connection, on the loop's thread. */
    void take(CmEvent event) {
        boolean removal = event.type() == CmEventType.DEVICE_REMOVAL;
        if (removal || (event.type().endsConnection() && end == null)) {
            end = event;
            ended.countDown();
        }
    }

    /** Waits until the peer has ended a connection; returns false after {@code limit}. */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        return ended.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Throws if the connection has ended, or if nothing has come since {@code startNanos} for too long. */
    void requireHope(long startNanos) throws RdmaException, InterruptedException {
        requireConnected();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (System.nanoTime() - startNanos > patience.toNanos()) {
            throw PeerFailure.silent(Completions.DURING, patience);
        }
    }

    private void requireConnected() throws RdmaException {
        requireDevice();
        if (end != null) {
            throw PeerFailure.ended(Completions.DURING);
        }
    }

    /** Throws if the device is being removed. */
    void requireDevice() throws RdmaException {
        CmEvent event = end;
        if (event != null && event.type() == CmEventType.DEVICE_REMOVAL) {
            throw event.toException();
        }
    }

    boolean isDisconnected() {
        CmEvent event = end;
        return event != null && event.type() != CmEventType.DEVICE_REMOVAL;
    }

    int sendOffset(int index) {
        return index * half;
    }

    /** The offset of the memory that a queue pair's peer accesses. */
    int receiveOffset(int index) {
        return (options.queuePairs + index) * half;
    }

    /** The queue pair of a program with a single queue pair. */
    TestLink link() {
        return links.get(0);
    }

    @Override
    public void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        while (!owned.isEmpty()) {
            failure.close(owned.pop());
        }
        failure.throwIfAny();
    }

    /**
     * The locations of messages in memory. As in perftest, a bandwidth program spreads small messages over a page, so
     * that consecutive messages do not share a cache line; other messages all have the same location.
     *
     * @param half the size of a queue pair's part in one half of the memory, in bytes
     * @param places the number of locations
     * @param step the distance between two locations, in bytes
     */
    record Spread(int half, int places, int step) {
        static Spread of(PerfOptions options, int page, int cacheLine) {
            int size = options.size();
            int half = roundUp(Math.max(options.largestSize(), page), cacheLine);
            if (options.program().isLatency() || size > page / 2) {
                return new Spread(half, 1, 0);
            }
            int step = roundUp(size, cacheLine);
            return new Spread(half, Math.max(1, page / step), step);
        }

        private static int roundUp(int value, int unit) {
            return (value + unit - 1) / unit * unit;
        }

        int offset(int number) {
            return number % places * step;
        }
    }
}
