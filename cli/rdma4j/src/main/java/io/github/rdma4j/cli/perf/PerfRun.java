// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
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
    /** The time limit for a step of the peer without a measurement. */
    private static final Duration STEP = Duration.ofSeconds(60);

    private static final int BACKLOG = 8;

    /** Exceeds the range of a deadline, so there is no limit. */
    static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

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
        step = options.limit() == null ? STEP : options.limit();
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
            warmUp(own);
            PerfRun run = new PerfRun(own, observer);
            return own.isClient() ? run.asClient() : run.asServer();
        } catch (CmEventException e) {
            throw e.type() == CmEventType.DEVICE_REMOVAL ? new RdmaException("the device was removed", e) : e;
        }
    }

    private static void warmUp(PerfOptions options) throws RdmaException, InterruptedException {
        if (options.warmUp > 0) {
            WarmUp.run(options);
        }
    }

    private List<PerfResult> asClient() throws RdmaException, InterruptedException {
        try (CmEventLoop loop = CmEventLoop.open();
                CmConnection first = connectFirst(loop);
                PerfSession session = session(first)) {
            // the client wants to open the test connections
            session.handshake.meet(PeerEntry.NONE);
            if (options.isDatagram()) {
                new Datagrams(session.bed, step).connect();
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
                PerfListener listener = new PerfListener(loop, options.local, backlog, step)) {
            observer.listening(listener.address());
            try (CmConnection first = listener.acceptFirst(control());
                    PerfSession session = session(first)) {
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
        Datagrams datagrams = new Datagrams(session.bed, step);
        BlockingCmId listening = datagrams.listen(address);
        session.handshake.answerEntry();
        datagrams.accept(listening);
    }

    private PerfSession session(CmConnection first) throws RdmaException, InterruptedException {
        requireDevice(first.id());
        return new PerfSession(options, observer, first, step);
    }

    private void requireDevice(CmId id) throws RdmaException {
        String wanted = options.device;
        String found = id.context().device().name();
        if (wanted != null && !wanted.equals(found)) {
            throw new RdmaException("the addresses lead to the device " + found + ", and -d asks for " + wanted
                    + ": name an address of " + wanted + " by --source_ip, or leave -d out");
        }
    }

    private ConnectOptions control() {
        return connecting()
                .queuePair(QueuePairOptions.builder()
                        .maxSendWr(1)
                        .maxReceiveWr(ControlLink.DEPTH)
                        .build())
                .parameters(parameters(0))
                .prepare(connection -> connection.id().attach(new ControlLink(connection, options.isClient())))
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
}
