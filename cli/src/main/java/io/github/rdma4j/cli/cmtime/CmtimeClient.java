// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The measuring side: makes connections, all together step by step, and ends them. The calling thread issues the commands
 * and another reads their events, so that neither waits for the other within a step.
 */
public final class CmtimeClient {
    private final CmtimeOptions options;
    private final PrintWriter out;
    private final StepTimes times;
    private final ConnectionParameters parameters;
    private final List<Connection> connections = new ArrayList<>();

    private interface Command {
        void issue(Connection connection) throws RdmaException;
    }

    /** A client that says on {@code out} what it does. */
    public CmtimeClient(CmtimeOptions options, PrintWriter out) {
        this.options = options;
        this.out = out;
        Set<Step> steps = EnumSet.allOf(Step.class);
        if (options.source() == null) {
            steps.remove(Step.BIND);
        }
        times = new StepTimes(options.connections(), steps);
        parameters = ConnectionParameters.builder()
                .responderResources(1)
                .initiatorDepth(1)
                .retryCount(options.retries())
                .rnrRetryCount(0)
                .build();
    }

    /** Takes every connection through every step. What fails is said and left out of the steps that follow. */
    public StepTimes run() throws RdmaException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                SmallestQp qps = new SmallestQp();
                EventLoop events = new EventLoop(channel, this::handle)) {
            try {
                takeSteps(channel, qps, events);
            } finally {
                forEach(Step.DESTROY, connection -> connection.id.close());
            }
        }
        return times;
    }

    /** How many connections did not take every step. */
    public long failures() {
        return connections.stream().filter(Connection::hasFailed).count();
    }

    private void takeSteps(EventChannel channel, SmallestQp qps, EventLoop events)
            throws RdmaException, InterruptedException {
        createIds(channel);
        InetSocketAddress source = options.source();
        if (source != null) {
            forEach(Step.BIND, connection -> connection.id.bind(source));
        }
        await(Step.RESOLVE_ADDRESS, events, this::resolveAddress);
        await(Step.RESOLVE_ROUTE, events, connection -> connection.id.resolveRoute(options.timeout()));
        forEach(Step.CREATE_QP, connection -> qps.createFor(connection.id));
        await(Step.CONNECT, events, connection -> connection.id.connect(parameters));
        await(Step.DISCONNECT, events, CmtimeClient::disconnect);
    }

    private void createIds(EventChannel channel) throws RdmaException {
        out.println(Step.CREATE_ID.progress());
        times.begin(Step.CREATE_ID);
        for (int i = 0; i < options.connections(); i++) {
            times.begin(Step.CREATE_ID, i);
            Connection connection = new Connection(i, channel.createId(PortSpace.TCP));
            connection.id.attach(connection);
            connections.add(connection);
            times.finish(Step.CREATE_ID, i);
        }
        times.finish(Step.CREATE_ID);
    }

    private void resolveAddress(Connection connection) throws RdmaException {
        InetSocketAddress source = options.source();
        if (source == null) {
            connection.id.resolveAddress(options.server(), options.timeout());
        } else {
            connection.id.resolveAddress(source, options.server(), options.timeout());
        }
    }

    private static void disconnect(Connection connection) throws RdmaException {
        connection.id.disconnect();
        QueuePair qp = connection.id.qp().orElseThrow();
        qp.close();
    }

    /** A step that is over when the command returns. Destroying is for all, the failed ones as well. */
    private void forEach(Step step, Command command) {
        out.println(step.progress());
        times.begin(step);
        for (Connection connection : connections) {
            if (step == Step.DESTROY || !connection.hasFailed()) {
                times.begin(step, connection.index);
                if (issued(step, command, connection)) {
                    times.finish(step, connection.index);
                }
            }
        }
        times.finish(step);
    }

    /** A step that is over when its event has come. */
    private void await(Step step, EventLoop events, Command command) throws RdmaException, InterruptedException {
        out.println(step.progress());
        times.begin(step);
        List<Connection> taking =
                connections.stream().filter(each -> !each.hasFailed()).toList();
        events.expect(taking.size());
        for (Connection connection : taking) {
            connection.retries = options.retries();
            times.begin(step, connection.index);
            connection.await(step);
            // An event may have ended the connection a moment ago: whoever finds that it awaits something says so.
            boolean underWay = !connection.hasFailed() && issued(step, command, connection);
            if (!underWay && connection.stopAwaiting() != null) {
                events.cameTrue();
            }
        }
        if (!events.awaitExpected(options.patience())) {
            taking.forEach(this::giveUpWaiting);
        }
        times.finish(step);
    }

    private void giveUpWaiting(Connection connection) {
        Step step = connection.stopAwaiting();
        if (step != null) {
            fail(
                    connection,
                    step.label() + ": no answer for " + options.patience().toSeconds() + " s (-w)");
        }
    }

    private boolean issued(Step step, Command command, Connection connection) {
        try {
            command.issue(connection);
            return true;
        } catch (RdmaException e) {
            fail(
                    connection,
                    step.label() + ": " + Addresses.explain(options.server(), e).getMessage());
            return false;
        } catch (IllegalStateException e) {
            // An event has ended the connection before its turn came.
            fail(connection, step.label() + ": " + e.getMessage());
            return false;
        }
    }

    /** In the thread that reads events. True when the event ends what a connection waited for. */
    private boolean handle(CmEvent event) {
        if (!(event.id().attachment() instanceof Connection connection)) {
            return false;
        }
        return switch (event.type()) {
            case ADDR_RESOLVED -> finish(connection, Step.RESOLVE_ADDRESS);
            case ROUTE_RESOLVED -> finish(connection, Step.RESOLVE_ROUTE);
            case ESTABLISHED -> finish(connection, Step.CONNECT);
            case DISCONNECTED -> finish(connection, Step.DISCONNECT) || giveUp(connection, event);
            case ADDR_ERROR -> !retried(connection, this::resolveAddress) && giveUp(connection, event);
            case ROUTE_ERROR ->
                !retried(connection, each -> each.id.resolveRoute(options.timeout())) && giveUp(connection, event);
            case CONNECT_ERROR, UNREACHABLE, REJECTED, DEVICE_REMOVAL -> giveUp(connection, event);
            default -> false;
        };
    }

    private boolean finish(Connection connection, Step step) {
        if (!connection.isAwaiting(step)) {
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
            // What is reported is the event that made us try again.
            return false;
        }
    }

    private boolean giveUp(Connection connection, CmEvent event) {
        boolean removed = event.type() == CmEventType.DEVICE_REMOVAL;
        fail(connection, removed ? "the device was removed: " + event : event.toString());
        return connection.stopAwaiting() != null;
    }

    private void fail(Connection connection, String reason) {
        connection.fail();
        out.println("connection " + connection.index + ": " + reason);
        out.flush();
    }
}
