// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The measuring client: sets up connections, all together step by step, and ends them. The calling thread issues the
 * commands, and an event loop reads their events, so that neither delays the other within a step.
 */
public final class CmtimeClient {
    private final InetSocketAddress server;
    private final @Nullable InetSocketAddress source;
    private final Options options;
    private final Duration timeout;
    private final PrintWriter out;
    private final StepTimes times;
    private final ConnectionParameters parameters;
    private final List<Connection> connections = new ArrayList<>();
    private final Answers answers = new Answers();

    private interface Command {
        void issue(Connection connection) throws RdmaException;
    }

    /**
     * Creates a client that prints its progress on {@code out}.
     *
     * @param source local address, with port 0; with null, the kernel chooses the address and the bind step is skipped
     */
    public CmtimeClient(
            InetSocketAddress server, @Nullable InetSocketAddress source, Options options, PrintWriter out) {
        this.server = server;
        this.source = source;
        this.options = options;
        timeout = Duration.ofMillis(options.timeout);
        this.out = out;
        Set<Step> steps = EnumSet.allOf(Step.class);
        if (source == null) {
            steps.remove(Step.BIND);
        }
        times = new StepTimes(options.connections, steps);
        parameters = ConnectionParameters.builder()
                .responderResources(1)
                .initiatorDepth(1)
                .retryCount(options.retries)
                .rnrRetryCount(0)
                .build();
    }

    /**
     * Takes every connection through every step. For a connection that fails, prints a line and skips the remaining
     * steps.
     */
    public StepTimes run() throws RdmaException, InterruptedException {
        LoopOptions loopOptions = LoopOptions.builder()
                .uncaught((thread, thrown) -> answers.fail(thrown))
                .build();
        try (CmEventLoop loop = CmEventLoop.open(loopOptions);
                ServerQps.SmallestQp qps = new ServerQps.SmallestQp()) {
            try {
                takeSteps(loop, qps);
            } finally {
                forEach(Step.DESTROY, connection -> connection.id.close());
            }
        }
        return times;
    }

    /** The number of connections that did not take every step. */
    public long failures() {
        return connections.stream().filter(each -> each.failed).count();
    }

    private void takeSteps(CmEventLoop loop, ServerQps.SmallestQp qps) throws RdmaException, InterruptedException {
        createIds(loop);
        InetSocketAddress local = source;
        if (local != null) {
            forEach(Step.BIND, connection -> connection.id.bind(local));
        }
        await(Step.RESOLVE_ADDRESS, this::resolveAddress);
        await(Step.RESOLVE_ROUTE, connection -> connection.id.resolveRoute(timeout));
        forEach(Step.CREATE_QP, connection -> qps.createFor(connection.id));
        await(Step.CONNECT, connection -> connection.id.connect(parameters));
        await(Step.DISCONNECT, CmtimeClient::disconnect);
    }

    private void createIds(CmEventLoop loop) throws RdmaException {
        out.println(Step.CREATE_ID.progress());
        times.begin(Step.CREATE_ID);
        for (int i = 0; i < options.connections; i++) {
            times.begin(Step.CREATE_ID, i);
            connections.add(new Connection(i, loop));
            times.finish(Step.CREATE_ID, i);
        }
        times.finish(Step.CREATE_ID);
    }

    private void resolveAddress(Connection connection) throws RdmaException {
        if (source == null) {
            connection.id.resolveAddress(server, timeout);
        } else {
            connection.id.resolveAddress(source, server, timeout);
        }
    }

    private static void disconnect(Connection connection) throws RdmaException {
        connection.id.disconnect();
        QueuePair qp = connection.id.qp().orElseThrow();
        qp.close();
    }

    /** Runs a step that ends when the command returns. Failed connections take only {@link Step#DESTROY}. */
    private void forEach(Step step, Command command) {
        out.println(step.progress());
        times.begin(step);
        for (Connection connection : connections) {
            if (step == Step.DESTROY || !connection.failed) {
                times.begin(step, connection.index);
                if (issued(step, command, connection)) {
                    times.finish(step, connection.index);
                }
            }
        }
        times.finish(step);
    }

    /** Runs a step that ends with an event. */
    private void await(Step step, Command command) throws RdmaException, InterruptedException {
        out.println(step.progress());
        times.begin(step);
        List<Connection> taking =
                connections.stream().filter(each -> !each.failed).toList();
        answers.expect(taking.size());
        for (Connection connection : taking) {
            connection.retries = options.retries;
            times.begin(step, connection.index);
            connection.awaited.set(step);
            // An event may just have ended the connection: the answer counts once, here or on the loop's thread.
            boolean underWay = !connection.failed && issued(step, command, connection);
            if (!underWay && connection.stopAwaiting() != null) {
                answers.arrived();
            }
        }
        if (!answers.await(Duration.ofSeconds(options.patience))) {
            taking.forEach(this::giveUpWaiting);
        }
        times.finish(step);
    }

    private void giveUpWaiting(Connection connection) {
        Step step = connection.stopAwaiting();
        if (step != null) {
            fail(connection, step.label() + ": no answer for " + options.patience + " s (-w)");
        }
    }

    private boolean issued(Step step, Command command, Connection connection) {
        try {
            command.issue(connection);
            return true;
        } catch (RdmaException e) {
            fail(connection, step.label() + ": " + Addresses.explain(server, e).getMessage());
            return false;
        } catch (IllegalStateException e) {
            // an event ended the connection before its turn
            fail(connection, step.label() + ": " + e.getMessage());
            return false;
        }
    }

    /** Handles an event, on the thread of the event loop. */
    private void take(Connection connection, CmEvent event) {
        answers.eventCame();
        if (endsStep(connection, event)) {
            answers.arrived();
        }
    }

    /** True if the event ends the step that the connection awaits. */
    private boolean endsStep(Connection connection, CmEvent event) {
        return switch (event.type()) {
            case ADDR_RESOLVED -> finish(connection, Step.RESOLVE_ADDRESS);
            case ROUTE_RESOLVED -> finish(connection, Step.RESOLVE_ROUTE);
            case ESTABLISHED -> finish(connection, Step.CONNECT);
            case DISCONNECTED, REJECTED, UNREACHABLE, CONNECT_ERROR ->
                finish(connection, Step.DISCONNECT) || giveUp(connection, event);
            case ADDR_ERROR -> !retried(connection, this::resolveAddress) && giveUp(connection, event);
            case ROUTE_ERROR ->
                !retried(connection, each -> each.id.resolveRoute(timeout)) && giveUp(connection, event);
            case DEVICE_REMOVAL -> giveUp(connection, event);
            default -> false;
        };
    }

    private boolean finish(Connection connection, Step step) {
        if (connection.awaited.get() != step) {
            return false;
        }
        times.finish(step, connection.index);
        return connection.stopAwaiting() != null;
    }

    private static boolean retried(Connection connection, Command command) {
        if (connection.retries-- <= 0) {
            return false;
        }
        try {
            command.issue(connection);
            return true;
        } catch (RdmaException | IllegalStateException e) {
            // the event that led to the retry is reported
            return false;
        }
    }

    private boolean giveUp(Connection connection, CmEvent event) {
        boolean removed = event.type() == CmEventType.DEVICE_REMOVAL;
        fail(connection, removed ? "the device was removed: " + event : event.toString());
        return connection.stopAwaiting() != null;
    }

    private void fail(Connection connection, String reason) {
        connection.failed = true;
        out.println("connection " + connection.index + ": " + reason);
    }

    /** A connection of the client. The thread that issues commands and the thread of the event loop share it. */
    private final class Connection {
        final int index;
        final CmId id;

        /** The remaining retries of the resolution. While a step is awaited, used by the thread of the event loop. */
        int retries;

        /** The step whose event has not come; the thread that removes the step ends it. */
        private final AtomicReference<@Nullable Step> awaited = new AtomicReference<>();

        volatile boolean failed;

        Connection(int index, CmEventLoop loop) throws RdmaException {
            this.index = index;
            this.id = loop.createId(PortSpace.TCP, event -> take(this, event));
        }

        /** Stops awaiting a step; returns the step, or null if no step was awaited. */
        @Nullable
        Step stopAwaiting() {
            return awaited.getAndSet(null);
        }
    }

    /** Options of a cmtime client, with the defaults of {@code cmtime(1)}. */
    public static final class Options {
        @Option(
                names = {"-c", "--connections"},
                paramLabel = "N",
                description = "Number of connections, 1 to 100000 (${DEFAULT-VALUE}).")
        int connections = 100;

        @Option(
                names = {"-r", "--retries"},
                paramLabel = "N",
                description = "Retries of a resolution and of the queue pair, 0 to 7 (${DEFAULT-VALUE}).")
        int retries = 2;

        @Option(
                names = {"-t", "--timeout"},
                paramLabel = "MS",
                description = "Time limit of a resolution, in milliseconds (${DEFAULT-VALUE}).")
        int timeout = 2000;

        /** By default longer than the kernel needs to detect that no peer answers. */
        @Option(
                names = "-w",
                paramLabel = "SECONDS",
                description =
                        "Time without an event of any connection after which a client gives up (${DEFAULT-VALUE}).")
        int patience = 120;

        /** The options for a number of connections. */
        public static Options of(int connections) {
            Options options = new Options();
            options.connections = connections;
            return options;
        }
    }

    /** The events that end a step: one for each connection that takes the step. Safe for use by several threads. */
    private static final class Answers {
        /**
         * The number of slices in which silence is measured, so that an event costs a counter increment instead of a
         * clock read.
         */
        private static final int SLICES = 10;

        private volatile CountDownLatch missing = new CountDownLatch(0);
        private final AtomicInteger events = new AtomicInteger();
        private volatile @Nullable Throwable failure;

        /** Starts a step that ends after the given number of answers. */
        void expect(int answers) {
            missing = new CountDownLatch(answers);
        }

        /** Records an event, which restarts the wait for the others. */
        void eventCame() {
            events.incrementAndGet();
        }

        void arrived() {
            missing.countDown();
        }

        /** Fails this wait and all later waits after a failure of the event loop or of a callback. */
        void fail(Throwable thrown) {
            failure = thrown;
            CountDownLatch failed = missing;
            while (failed.getCount() > 0) {
                failed.countDown();
            }
        }

        /**
         * Waits for all answers of the step.
         *
         * @return false if no event came for {@code patience}, with a tolerance of a tenth
         */
        boolean await(Duration patience) throws RdmaException, InterruptedException {
            long slice = patience.dividedBy(SLICES).toNanos();
            int seen = events.get();
            for (int silent = 0; silent < SLICES; silent++) {
                boolean complete = failure == null && missing.await(slice, TimeUnit.NANOSECONDS);
                requireNoFailure();
                if (complete) {
                    return true;
                }
                int now = events.get();
                silent = now == seen ? silent : -1;
                seen = now;
            }
            return false;
        }

        private void requireNoFailure() throws RdmaException {
            Throwable failed = failure;
            if (failed instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (failed != null) {
                throw new RdmaException("the events cannot be read: " + Failures.text(failed), failed);
            }
        }
    }
}
