// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a program on one side: two connections, the handshake on the first, the measurement on the second. The peer is
 * another run of this class, or a program of perftest with {@code -R}.
 *
 * <pre>{@code
 * PerfResult result = PerfRun.client(PerfOptions.of(PerfProgram.SEND_LAT).server(address).size(64));
 * }</pre>
 */
public final class PerfRun {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** For the peer's next step, where it does not measure. */
    private static final Duration STEP = Duration.ofSeconds(60);

    /** For the peer's answer to a disconnect, which changes nothing any more. */
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    /** Longer than a deadline counts, which makes it no limit. */
    static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    private static final long RETRY_MILLIS = 20;

    private final PerfOptions options;
    private final PerfObserver observer;
    private final Duration step;
    private @Nullable Spread spread;

    private PerfRun(PerfOptions options, PerfObserver observer) {
        this.options = options;
        this.observer = observer;
        step = options.limit() == null ? STEP : options.limit();
    }

    /** Runs the client: connects to the server that the options name, and returns when the run has ended. */
    public static PerfResult client(PerfOptions options) throws RdmaException, InterruptedException {
        options.requireServer();
        return run(options, new PerfObserver() {});
    }

    /**
     * Runs the server: waits for one client, and returns when the run has ended.
     *
     * @param listening is given the address when a client may come
     */
    public static PerfResult server(PerfOptions options, Consumer<InetSocketAddress> listening)
            throws RdmaException, InterruptedException {
        return run(options.copy().noServer(), new PerfObserver() {
            @Override
            public void listening(InetSocketAddress address) {
                listening.accept(address);
            }
        });
    }

    /** Runs the side that the options describe. */
    static PerfResult run(PerfOptions options, PerfObserver observer) throws RdmaException, InterruptedException {
        PerfOptions own = options.copy();
        try {
            warmUp(own);
            PerfRun run = new PerfRun(own, observer);
            return own.isClient() ? run.asClient() : run.asServer();
        } catch (CmEventException e) {
            throw e.type() == CmEventType.DEVICE_REMOVAL ? new RdmaException("the device was removed", e) : e;
        }
    }

    private static void warmUp(PerfOptions options) throws RdmaException, InterruptedException {
        if (options.warmUp() > 0) {
            WarmUp.run(options);
        }
    }

    private PerfResult asClient() throws RdmaException, InterruptedException {
        try (CmEventLoop loop = CmEventLoop.open();
                CmConnection first = connectFirst(loop)) {
            Handshake handshake = handshake(first);
            handshake.meet(PeerEntry.NONE);
            try (CmConnection second = connectTest(loop)) {
                PerfResult result = measure(handshake, second);
                farewell(loop, second);
                return result;
            }
        }
    }

    private PerfResult asServer() throws RdmaException, InterruptedException {
        try (CmEventLoop loop = CmEventLoop.open();
                PerfListener listener = new PerfListener(loop, options.local(), step)) {
            observer.listening(listener.address());
            try (CmConnection first = listener.acceptFirst(control())) {
                Handshake handshake = handshake(first);
                handshake.receiveEntry();
                // The client connects at once when it has the answer; perftest itself does not listen yet then.
                listener.rejectStrangers();
                handshake.answerEntry();
                try (CmConnection second = listener.acceptSecond(first, test())) {
                    PerfResult result = measure(handshake, second);
                    farewell(loop, second);
                    return result;
                }
            }
        }
    }

    private Handshake handshake(CmConnection first) throws RdmaException, InterruptedException {
        ControlLink link = (ControlLink) Objects.requireNonNull(first.id().attachment());
        Handshake handshake = new Handshake(link, step);
        int port = first.id().portNumber();
        handshake.greet(first.id().context().queryPort(port).activeMtu().code());
        spread = Spread.of(options, handshake.page(), handshake.cacheLine());
        return handshake;
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

    private ConnectOptions test() {
        Spread places = Objects.requireNonNull(spread);
        boolean reads = options.program().verb().isRequest();
        return connecting()
                .queuePair(TestLink.queuePair(options))
                .parameters(parameters(reads ? ConnectionParameters.AS_MUCH_AS_POSSIBLE : 0))
                .prepare(connection -> connection.id().attach(new TestLink(connection, options, places)))
                .build();
    }

    private ConnectOptions.Builder connecting() {
        ConnectOptions.Builder builder = ConnectOptions.builder().timeout(step);
        return options.local().getAddress().isAnyLocalAddress() ? builder : builder.source(options.local());
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

    /** A server of perftest listens again only after it has answered, so it may refuse at first. */
    private CmConnection connectTest(CmEventLoop loop) throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            try {
                return loop.await(loop.connect(options.requireServer(), test()), FOR_EVER);
            } catch (CmEventException e) {
                if (e.type() != CmEventType.REJECTED || System.nanoTime() - start > step.toNanos()) {
                    throw e;
                }
                Thread.sleep(RETRY_MILLIS);
            }
        }
    }

    private PerfResult measure(Handshake handshake, CmConnection second) throws RdmaException, InterruptedException {
        TestLink link = (TestLink) Objects.requireNonNull(second.id().attachment());
        handshake.meet(PeerEntry.NONE);
        PeerEntry mine = link.entry();
        PeerEntry peer = PeerEntry.NONE;
        for (int i = 0; i < meetings(); i++) {
            peer = handshake.meet(mine);
        }
        observer.measuring(mine, peer);
        Measurement measurement = Measurement.of(link, peer);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        measurement.run();
        PerfResult result = measurement.result(THREADS.getCurrentThreadAllocatedBytes() - before);
        return end(handshake, mine, result);
    }

    /** How often the sides of a program meet before they measure. */
    private int meetings() {
        boolean bulk = !options.program().isLatency() && options.program() != PerfProgram.SEND_BW;
        return bulk ? 3 : 4;
    }

    private PerfResult end(Handshake handshake, PeerEntry mine, PerfResult result)
            throws RdmaException, InterruptedException {
        Duration longest = options.limit() == null ? FOR_EVER : step;
        switch (options.program()) {
            case WRITE_LAT -> {
                return result;
            }
            case SEND_LAT, SEND_BW, READ_LAT, ATOMIC_LAT -> {
                handshake.meet(mine, longest);
                return result;
            }
            case WRITE_BW, READ_BW, ATOMIC_BW -> {
                handshake.meet(mine, longest);
                BandwidthFigures theirs = handshake.report(result.bandwidth().orElse(BandwidthFigures.NONE));
                handshake.meet(mine);
                return options.isClient() ? result : reported(result, theirs);
            }
        }
        throw new IllegalStateException(options.program() + " is unknown");
    }

    private static PerfResult reported(PerfResult result, BandwidthFigures figures) {
        return new PerfResult(
                result.program(),
                (int) figures.size(),
                (int) figures.iterations(),
                Optional.empty(),
                Optional.of(figures),
                result.allocatedBytes());
    }

    /** Ends the connection before its memory goes; a peer that has gone already need not answer. */
    private static void farewell(CmEventLoop loop, CmConnection connection) throws RdmaException, InterruptedException {
        try {
            loop.await(connection.disconnect(), FAREWELL);
        } catch (CmTimeoutException e) {
            // The result stands; closing does the rest.
        }
    }
}
