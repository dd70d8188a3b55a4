// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cli.run.BackgroundCloser;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.cli.run.ServerEvents;
import io.github.rdma4j.cli.run.StandardOutput;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server of the exchange: serves each connection in its own thread, until it is interrupted or, with {@code once},
 * until the first connection has ended. When a connection fails, the server closes it, prints a line and continues. The
 * server ends when its output is closed, and when the device of its address is removed; a server on every address
 * closes the connections of a device that is removed and continues.
 */
public final class PingServer {
    private static final int BACKLOG = 128;
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final PingOptions options;
    final Duration idle;
    private final PrintWriter out;
    private final Consumer<PingResult> served;
    final PingConnection.Budget budget;
    private final Set<PingConnection> connections = ConcurrentHashMap.newKeySet();
    private final CountDownLatch listening = new CountDownLatch(1);
    private volatile @Nullable EventChannel events;
    private volatile @Nullable Exception failure;

    /**
     * Creates a server with these options.
     *
     * @param served called in the thread of a connection after its client has ended it; the times are from the arrival
     *     of a ping to the last message of the server about the ping
     */
    public PingServer(PingOptions options, PrintWriter out, Consumer<PingResult> served) {
        this.options = options;
        idle = RdmaCommand.limit(options.idle);
        this.out = out;
        this.served = served;
        this.budget = new PingConnection.Budget(options.bytes);
    }

    /** Listens and serves. With {@code once}, returns when a connection has ended, or throws its failure. */
    public void run() throws RdmaException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                BackgroundCloser closer = new BackgroundCloser(this::complain);
                CmId listener = channel.createId(PortSpace.TCP)) {
            events = channel;
            listener.bind(options.address);
            listener.listen(BACKLOG);
            say("listening on " + listener.localAddress().orElseThrow());
            listening.countDown();
            try {
                ServerEvents incoming = new ServerEvents(channel, this::complain);
                incoming.serve(listener, options.address, event -> dispatch(event, closer));
            } finally {
                endAll();
            }
        } catch (ClosedWhileWaitingException e) {
            rethrow(failure);
        } finally {
            listening.countDown();
        }
    }

    /** Waits until clients can connect, or listening has failed. */
    public void awaitListening() throws InterruptedException {
        listening.await();
    }

    private static void rethrow(@Nullable Exception failed) throws RdmaException {
        if (failed instanceof RdmaException known) {
            throw known;
        }
        if (failed instanceof RuntimeException known) {
            throw known;
        }
    }

    private void dispatch(CmEvent event, BackgroundCloser closer) {
        CmId id = event.id();
        if (event.type() == CmEventType.CONNECT_REQUEST) {
            start(id, closer);
        } else if (id.attachment() instanceof PingConnection connection) {
            verbose(event::toString);
            connection.tell(event);
        } else {
            complain(event.toString());
        }
    }

    /** Serves a request, or rejects it if it cannot be served; the server continues. */
    private void start(CmId id, BackgroundCloser closer) {
        if (connections.size() >= options.connections) {
            complain("refused " + id + ": " + options.connections + " connections are open (--max-connections)");
            closer.close(id);
            return;
        }
        try {
            PingConnection connection = new PingConnection(id, this);
            id.attach(connection);
            connections.add(connection);
            connection.start();
        } catch (OutOfMemoryError e) {
            connections.removeIf(connection -> connection.id == id);
            complain("refused " + id + ": " + Failures.text(e));
            closer.close(id);
        }
    }

    /** Called on the connection's thread, after the connection is completely closed. */
    void ended(PingConnection connection, @Nullable Throwable reason) {
        connections.remove(connection);
        if (reason == null) {
            try {
                served.accept(connection.result);
            } catch (StandardOutput.ClosedException e) {
                end(e);
            }
        } else {
            complain(connection.describe(reason));
        }
        if (options.once && connection.wasEstablished()) {
            end(
                    reason == null || reason instanceof Exception
                            ? (Exception) reason
                            : new RdmaException(Failures.text(reason), reason));
        }
    }

    /** Wakes {@link #run}, which then returns or throws the reason. */
    private void end(@Nullable Exception reason) {
        EventChannel channel = events;
        if (channel == null || channel.isClosed()) {
            return;
        }
        failure = reason;
        try {
            channel.close();
        } catch (RdmaException e) {
            complain("closing: " + Failures.text(e));
        }
    }

    private void endAll() throws InterruptedException {
        long deadline = System.nanoTime() + CLOSING.toNanos();
        for (PingConnection connection : connections) {
            connection.end(new RdmaException("the server ends"));
        }
        for (PingConnection connection : connections) {
            connection.awaitEnd(Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime())));
        }
    }

    void verbose(Supplier<String> line) {
        if (options.verbose) {
            say(line.get());
        }
    }

    /** Prints a line about a failure that does not end the server. If the output is closed, ends the server. */
    private void complain(String line) {
        try {
            say(line);
        } catch (StandardOutput.ClosedException e) {
            end(e);
        }
    }

    private void say(String line) {
        out.println(line);
    }
}
