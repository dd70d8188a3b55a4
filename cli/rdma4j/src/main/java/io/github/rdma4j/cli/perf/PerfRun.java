// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import static io.github.rdma4j.cli.run.RdmaCommand.FOR_EVER;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.RdmaAddress;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/**
 * One run of a program on one side: a connection for the handshake, and others for the measurement. The peer is
 * another run of this class, or a program of perftest with {@code -R}.
 *
 * <pre>{@code
 * PerfResult result = PerfRun.client(PerfOptions.of(PerfProgram.SEND_LAT).server(address).size(64));
 * }</pre>
 */
public final class PerfRun {
    private static final int BACKLOG = 8;

    /** The time limit of address resolution, enforced by the kernel. */
    private static final Duration ADDRESS_LIMIT = Duration.ofSeconds(5);

    private static final long RETRY_MILLIS = 20;

    /** Observes the progress of a run. */
    interface Observer {
        /** Called when a server listens at an address. */
        default void listening(InetSocketAddress address) {}

        /** Called when both sides know each other's memory and the measurement begins. */
        default void measuring(PeerEntry mine, PeerEntry peer) {}

        /** Called with the result of a size. A server that measured nothing has no figures, or the client's figures. */
        default void measured(PerfResult result) {}
    }

    private final PerfOptions options;
    private final Observer observer;
    private final Duration step;

    private PerfRun(PerfOptions options, Observer observer) {
        this.options = options;
        this.observer = observer;
        step = options.step();
    }

    /** Runs the client: connects to the server in the options, and returns when the run has ended. */
    public static PerfResult client(PerfOptions options) throws RdmaException, InterruptedException {
        options.requireServer();
        return last(run(options, new Observer() {}));
    }

    /**
     * Runs the server: waits for one client, and returns when the run has ended.
     *
     * @param listening receives the address once clients can connect
     */
    public static PerfResult server(PerfOptions options, Consumer<InetSocketAddress> listening)
            throws RdmaException, InterruptedException {
        return last(run(options.copy().noServer(), new Observer() {
            @Override
            public void listening(InetSocketAddress address) {
                listening.accept(address);
            }
        }));
    }

    private static PerfResult last(List<PerfResult> results) {
        return results.get(results.size() - 1);
    }

    /** Runs the side described by the options; returns the result of each size. */
    static List<PerfResult> run(PerfOptions options, Observer observer) throws RdmaException, InterruptedException {
        PerfOptions own = options.copy();
        own.check();
        try {
            if (own.warmUp > 0) {
                warmUp(own);
            }
            PerfRun run = new PerfRun(own, observer);
            return own.isClient() ? run.asClient() : run.asServer();
        } catch (CmEventException e) {
            throw e.type() == CmEventType.DEVICE_REMOVAL ? new RdmaException("the device was removed", e) : e;
        }
    }

    private List<PerfResult> asClient() throws RdmaException, InterruptedException {
        try (CmEventLoop loop = CmEventLoop.open();
                CmConnection first = connectFirst(loop);
                PerfSession session = new PerfSession(options, observer, first)) {
            // the client wants to open the test connections
            session.handshake.meet(PeerEntry.NONE);
            if (options.isDatagram()) {
                new Datagrams(session.bed).connect();
            } else {
                for (int i = 0; i < options.queuePairs; i++) {
                    session.add(connectTest(loop, session.bed));
                }
            }
            List<PerfResult> results = session.measure();
            session.farewell(loop);
            return results;
        }
    }

    private List<PerfResult> asServer() throws RdmaException, InterruptedException {
        int backlog = Math.max(BACKLOG, options.queuePairs);
        try (CmEventLoop loop = CmEventLoop.open();
                PerfListener listener = new PerfListener(loop, backlog)) {
            observer.listening(listener.address());
            try (CmConnection first = listener.acceptFirst(control());
                    PerfSession session = new PerfSession(options, observer, first)) {
                session.handshake.receiveEntry();
                if (options.isDatagram()) {
                    acceptDatagrams(listener.address(), session);
                } else {
                    acceptConnections(listener, first, session);
                }
                List<PerfResult> results = session.measure();
                session.farewell(loop);
                return results;
            }
        }
    }

    /**
     * Accepts the test connections. The client connects as soon as it has the answer, when perftest itself does not
     * listen yet.
     */
    private void acceptConnections(PerfListener listener, CmConnection first, PerfSession session)
            throws RdmaException, InterruptedException {
        listener.rejectStrangers();
        session.handshake.answerEntry();
        for (int i = 0; i < options.queuePairs; i++) {
            session.add(listener.acceptSecond(first, test(session.bed)));
        }
    }

    private void acceptDatagrams(InetSocketAddress address, PerfSession session)
            throws RdmaException, InterruptedException {
        Datagrams datagrams = new Datagrams(session.bed);
        BlockingCmId listening = datagrams.listen(address);
        session.handshake.answerEntry();
        datagrams.accept(listening);
    }

    private ConnectOptions control() {
        return connecting()
                .queuePair(QueuePairOptions.builder()
                        .maxSendWr(1)
                        .maxReceiveWr(Handshake.DEPTH)
                        .build())
                .parameters(parameters(0))
                .prepare(connection -> connection.id().attach(new Handshake(connection, options)))
                .build();
    }

    private ConnectOptions test(TestBed bed) {
        boolean reads = options.program().verb().isRequest();
        return connecting()
                .queuePair(bed.queuePair())
                .parameters(parameters(reads ? ConnectionParameters.AS_MUCH_AS_POSSIBLE : 0))
                .prepare(connection -> connection.onEvent(bed::take))
                .build();
    }

    private ConnectOptions.Builder connecting() {
        ConnectOptions.Builder builder = ConnectOptions.builder().timeout(step);
        return options.local.getAddress().isAnyLocalAddress() ? builder : builder.source(options.local);
    }

    private static ConnectionParameters parameters(int reads) {
        return ConnectionParameters.builder()
                .responderResources(reads)
                .initiatorDepth(reads)
                .build();
    }

    private CmConnection connectFirst(CmEventLoop loop) throws RdmaException, InterruptedException {
        InetSocketAddress server = options.requireServer();
        try {
            return loop.await(loop.connect(server, control()), FOR_EVER);
        } catch (CmEventException e) {
            if (e.type() != CmEventType.REJECTED) {
                throw e;
            }
            String program = options.program().toString();
            throw new RdmaException(
                    e.getMessage() + "; start ib_" + program + " -R or ./rdma4j perf " + program
                            + " there, with the same -p",
                    e);
        } catch (RdmaException e) {
            throw Addresses.explain(server, e);
        }
    }

    /** Connects. A server of perftest listens again only after it has answered, so it may reject the first attempts. */
    private CmConnection connectTest(CmEventLoop loop, TestBed bed) throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            try {
                return loop.await(loop.connect(options.requireServer(), test(bed)), FOR_EVER);
            } catch (CmEventException e) {
                if (e.type() != CmEventType.REJECTED || System.nanoTime() - start > step.toNanos()) {
                    throw e;
                }
                Thread.sleep(RETRY_MILLIS);
            }
        }
    }

    /**
     * Makes the JVM compile the code of both sides before the peer is contacted. perftest has no messages for that, so
     * this process runs {@code options.warmUp} iterations with itself, between two threads, over the device of the
     * options.
     */
    private static void warmUp(PerfOptions options) throws RdmaException, InterruptedException {
        PerfOptions both = options.copy().iterations(options.warmUp).warmUp(0);
        both.local(new InetSocketAddress(address(options), 0));
        CompletableFuture<InetSocketAddress> listening = new CompletableFuture<>();
        PerfOptions passive = both.copy().noServer();
        FutureTask<PerfResult> server = new FutureTask<>(() -> server(passive, listening::complete));
        Thread thread = new Thread(() -> serveWarmUp(server, listening), "rdma4j-perf-warm-up");
        thread.setDaemon(true);
        thread.start();
        try {
            client(both.server(result(listening)));
            result(server);
        } finally {
            thread.interrupt();
            thread.join();
        }
    }

    private static void serveWarmUp(FutureTask<PerfResult> server, CompletableFuture<InetSocketAddress> listening) {
        server.run();
        // no effect if the server has listened
        listening.completeExceptionally(new RdmaException("the warm-up could not listen"));
    }

    private static InetAddress address(PerfOptions options) throws RdmaException, InterruptedException {
        InetAddress local = options.local.getAddress();
        if (!local.isAnyLocalAddress()) {
            return local;
        }
        InetSocketAddress server = options.server();
        if (server == null) {
            return RdmaAddress.first().address();
        }
        try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
            id.resolveAddress(server, ADDRESS_LIMIT);
            return id.id().localAddress().orElseThrow().getAddress();
        }
    }

    private static <T> T result(Future<T> future) throws RdmaException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new RdmaException("the warm-up failed: " + cause.getMessage(), cause);
        }
    }

    /** Accepts the connections of one client, and rejects other clients. For one thread. */
    private final class PerfListener implements AutoCloseable {
        private final CmEventLoop loop;
        private final CmListener listener;
        private CompletableFuture<CmRequest> next;

        PerfListener(CmEventLoop loop, int backlog) throws RdmaException {
            this.loop = loop;
            listener = loop.listen(options.local, backlog);
            next = listener.nextRequest();
        }

        InetSocketAddress address() {
            return listener.address();
        }

        /** Waits for a client, without a time limit. */
        CmConnection acceptFirst(ConnectOptions control) throws RdmaException, InterruptedException {
            return loop.await(take(FOR_EVER).accept(control), FOR_EVER);
        }

        private CmRequest take(Duration limit) throws RdmaException, InterruptedException {
            CmRequest request = loop.await(next, limit);
            next = listener.nextRequest();
            return request;
        }

        /**
         * Rejects the requests that have come meanwhile: the client of the first connection connects again only on request.
         */
        void rejectStrangers() throws RdmaException, InterruptedException {
            passThroughLoop();
            while (next.isDone()) {
                take(step).close();
                passThroughLoop();
            }
        }

        /** Waits until the loop has handled all earlier events. */
        private void passThroughLoop() throws RdmaException, InterruptedException {
            loop.await(CompletableFuture.runAsync(() -> {}, loop), step);
        }

        /** Waits for another connection of the client that opened {@code first}. */
        CmConnection acceptSecond(CmConnection first, ConnectOptions test) throws RdmaException, InterruptedException {
            Optional<InetAddress> client = first.id().peerAddress().map(InetSocketAddress::getAddress);
            CmRequest request = takeUnlessEnded(first);
            while (!request.id()
                    .peerAddress()
                    .map(InetSocketAddress::getAddress)
                    .equals(client)) {
                request.close();
                request = takeUnlessEnded(first);
            }
            return loop.await(request.accept(test), FOR_EVER);
        }

        /** The next request; throws if the client ends its first connection instead. */
        private CmRequest takeUnlessEnded(CmConnection first) throws RdmaException, InterruptedException {
            try {
                loop.await(CompletableFuture.anyOf(next, first.disconnected()), step);
            } catch (CmTimeoutException e) {
                throw PeerFailure.silent(PeerFailure.BEFORE_TEST, step);
            }
            if (!next.isDone()) {
                throw PeerFailure.ended(PeerFailure.BEFORE_TEST);
            }
            return take(step);
        }

        @Override
        public void close() throws RdmaException {
            listener.close();
        }
    }
}
