// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cli.run.BackgroundCloser;
import io.github.rdma4j.cli.run.OutputClosedException;
import io.github.rdma4j.cli.run.SturdyEvents;
import io.github.rdma4j.cli.run.Trouble;
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
 * The server of the exchange: serves each connection in a thread of its own, until it is interrupted or, with {@code once},
 * until the first connection has ended. When a connection fails, the server closes the connection, prints a line and
 * continues. The server ends when its output is closed, and when the device of its address is removed; a server on every
 * address closes the connections of a device that is removed and continues.
 */
public final class PingServer {
    private static final int BACKLOG = 128;
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final PingServerOptions options;
    private final PrintWriter out;
    private final Consumer<PingResult> served;
    private final MemoryBudget budget;
    private final Set<PingConnection> connections = ConcurrentHashMap.newKeySet();
    private final CountDownLatch listening = new CountDownLatch(1);
    private volatile @Nullable EventChannel events;
    private volatile @Nullable Exception failure;

    /**
     * A server with these options.
     *
     * @param served called in the thread of a connection after its client has ended it; the times are from the arrival of
     *     a ping to the last message of the server about the ping
     */
    public PingServer(PingServerOptions options, PrintWriter out, Consumer<PingResult> served) {
        this.options = options;
        this.out = out;
        this.served = served;
        this.budget = new MemoryBudget(options.bytes());
    }

    /** Listens and serves; with {@code once}, returns when one connection has ended and throws what it ended with. */
    public void run() throws RdmaException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                BackgroundCloser closer = new BackgroundCloser(this::trouble);
                CmId listener = channel.createId(PortSpace.TCP)) {
            events = channel;
            listener.bind(options.address());
            listener.listen(BACKLOG);
            say("listening on " + listener.localAddress().orElseThrow());
            listening.countDown();
            try {
                serve(listener, new SturdyEvents(channel, this::trouble), closer);
            } finally {
                endAll();
            }
        } catch (ClosedWhileWaitingException e) {
            rethrow(failure);
        } finally {
            listening.countDown();
        }
    }

    /** Waits until clients can connect; returns also when that has failed. */
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

    private void serve(CmId listener, SturdyEvents incoming, BackgroundCloser closer)
            throws RdmaException, InterruptedException {
        while (true) {
            try (CmEvent event = incoming.await()) {
                if (event.id() == listener && event.type() == CmEventType.DEVICE_REMOVAL) {
                    throw new RdmaException("the device of " + options.address() + " was removed", event.toException());
                }
                incoming.handle(event, taken -> dispatch(taken, closer));
            }
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
            trouble(event.toString());
        }
    }

    /** Refuses a request that cannot be served; the server continues. */
    private void start(CmId id, BackgroundCloser closer) {
        if (connections.size() >= options.connections()) {
            trouble("refused " + id + ": " + options.connections() + " connections are open (--max-connections)");
            closer.close(id);
            return;
        }
        try {
            PingConnection connection = new PingConnection(id, this);
            id.attach(connection);
            connections.add(connection);
            start(connection);
        } catch (OutOfMemoryError e) {
            trouble("refused " + id + ": " + Trouble.text(e));
            closer.close(id);
        }
    }

    private void start(PingConnection connection) {
        boolean started = false;
        try {
            connection.start();
            started = true;
        } finally {
            if (!started) {
                connections.remove(connection);
            }
        }
    }

    /** Called in the thread of the connection, after everything of the connection is closed. */
    void ended(PingConnection connection, @Nullable Throwable trouble) {
        connections.remove(connection);
        if (trouble == null) {
            try {
                served.accept(connection.result());
            } catch (OutputClosedException e) {
                end(e);
            }
        } else {
            trouble(connection.describe(trouble));
        }
        if (options.once() && connection.wasEstablished()) {
            end(
                    trouble == null || trouble instanceof Exception
                            ? (Exception) trouble
                            : new RdmaException(Trouble.text(trouble), trouble));
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
            trouble("closing: " + Trouble.text(e));
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

    MemoryBudget budget() {
        return budget;
    }

    @Nullable
    Duration idle() {
        return options.idle();
    }

    void verbose(Supplier<String> line) {
        if (options.verbose()) {
            say(line.get());
        }
    }

    /** Prints a line about a failure that does not end the server; closed output ends the server. */
    private void trouble(String line) {
        try {
            say(line);
        } catch (OutputClosedException e) {
            end(e);
        } catch (OutOfMemoryError e) {
            // There is no memory to print the line; the failure itself has been handled.
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
