// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.Addresses;
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
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The run of a client or a server: sets up the connections, lets the program exchange messages over them, and prints
 * the result. One thread waits for events of the connection manager and for completions at the same time.
 *
 * <p>The run of a client ends with the first connection that fails. A server prints a line about a connection that
 * fails and continues with the others: before the exchange a new connection replaces it, during the exchange the run
 * ends as a failure. When its device is removed, a client ends, and so does a server that has begun to exchange
 * messages or listens on an address of that device; a server on every address closes the connections of the device and
 * continues to wait.
 */
abstract class Transfer extends Exchange {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /** The kernel's default. */
    private static final int BACKLOG = 1024;

    private static final byte[] NO_WORDS = {};

    private final String name;
    final Plan plan;

    /** The connections that have not failed, oldest first. */
    private final Set<MessageLink> links = new LinkedHashSet<>();

    private final BackgroundCloser closer;
    private EventChannel events;
    private ServerEvents sturdy;
    private @Nullable CmId listener;
    private boolean exchanging;
    private int failed;

    /** An operation on a connection, whose failure affects only this connection. */
    @FunctionalInterface
    interface Work {
        void on(MessageLink link) throws RdmaException, InterruptedException;
    }

    /** Creates a run of the program {@code name}; opens the event channel that {@link #close} closes. */
    Transfer(String name, Plan plan, PrintWriter out) throws RdmaException {
        super(out);
        this.name = name;
        this.plan = plan;
        events = EventChannel.open();
        sturdy = new ServerEvents(events, this::say);
        closer = new BackgroundCloser(this::say);
    }

    @Override
    final void exchange() throws RdmaException, InterruptedException {
        SocketAddress server = plan.server;
        if (server != null) {
            say(name + ": starting client");
            try {
                connect(server);
                awaitReady();
            } catch (RdmaException e) {
                throw Addresses.explain(server, e);
            }
            exchanging = true;
            runClient();
            return;
        }
        say(name + ": starting server");
        CmId listening = events.createId(plan.portSpace);
        listener = listening;
        listening.bind(Objects.requireNonNull(plan.local));
        listening.listen(BACKLOG);
        awaitReady();
        exchanging = true;
        runServer(listening);
        if (failed > 0) {
            throw new RdmaException(failed + " of " + plan.connections + " connections failed");
        }
    }

    /** Called on a client when all connections are established. */
    abstract void runClient() throws RdmaException, InterruptedException;

    /** Called on a server when all connections are established. */
    abstract void runServer(CmId listener) throws RdmaException, InterruptedException;

    /** Connects a client's id, whose link has its receives posted. */
    abstract void connect(MessageLink link) throws RdmaException;

    /** Accepts the request of a link that has its receives posted. Returns true if no event will follow. */
    abstract boolean accept(MessageLink link) throws RdmaException;

    /** Sets the options of an id: for a client after address resolution, for a server after the request. */
    abstract void configure(CmId id) throws RdmaException;

    /** Called for the event after which a link can be used. */
    void established(MessageLink link, CmEvent event) throws RdmaException {}

    /** Changes to another channel, after all ids have migrated; closes the old channel. */
    final void useChannel(EventChannel channel) throws RdmaException {
        EventChannel left = events;
        events = channel;
        sturdy = new ServerEvents(channel, this::say);
        left.close();
    }

    // Connections.

    private boolean isServer() {
        return plan.server == null;
    }

    private void connect(SocketAddress server) throws RdmaException {
        say(name + ": connecting");
        for (int i = 0; i < plan.connections; i++) {
            CmId id = events.createId(plan.portSpace);
            SocketAddress local = plan.local;
            if (local == null) {
                id.resolveAddress(server, RESOLVE_TIMEOUT);
            } else {
                id.resolveAddress(local, server, RESOLVE_TIMEOUT);
            }
        }
    }

    private void awaitReady() throws RdmaException, InterruptedException {
        while (links.stream().filter(link -> link.ready).count() < plan.connections) {
            // a server waits without a time limit
            try (CmEvent event = isServer()
                    ? sturdy.await()
                    : awaitEvent("the connections are not all established; is the server stopped, or not a " + name
                            + " server?")) {
                handle(event);
            }
        }
    }

    final CmEvent awaitEvent(String complaint) throws RdmaException, InterruptedException {
        Duration patience = plan.patienceWithEvents();
        return events.awaitEvent(patience).orElseThrow(() -> outOfPatience(patience, complaint));
    }

    private static RdmaException outOfPatience(Duration patience, String complaint) {
        return new RdmaException("nothing has come for " + patience.toSeconds() + " s (-w), and " + complaint);
    }

    /**
     * Handles an event.
     *
     * @throws RdmaException if the event ends the run
     */
    final void handle(CmEvent event) throws RdmaException, InterruptedException {
        CmId id = event.id();
        if (!isServer()) {
            dispatch(event);
        } else if (id == listener) {
            if (event.type() == CmEventType.DEVICE_REMOVAL) {
                throw failure(event);
            }
            say(event.toString());
        } else if (event.type() == CmEventType.CONNECT_REQUEST) {
            handleRequest(id);
        } else {
            forConnection(id, link -> dispatch(event));
        }
    }

    private void dispatch(CmEvent event) throws RdmaException {
        CmId id = event.id();
        switch (event.type()) {
            case ADDR_RESOLVED -> {
                configure(id);
                Integer typeOfService = plan.typeOfService;
                if (typeOfService != null) {
                    id.settings().typeOfService(typeOfService);
                }
                id.resolveRoute(RESOLVE_TIMEOUT);
            }
            case ROUTE_RESOLVED -> connect(add(id));
            case ESTABLISHED -> {
                established(link(id), event);
                link(id).ready = true;
            }
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, DISCONNECTED, DEVICE_REMOVAL ->
                throw failure(event);
            default -> {
                // nothing to do
            }
        }
    }

    /** Rejects a request that cannot be served; other threads close it, because closing may be slow. */
    private void handleRequest(CmId id) throws RdmaException, InterruptedException {
        if (exchanging || links.size() == plan.connections) {
            say(name + ": failing connection request");
            closer.close(id, () -> {
                id.reject(NO_WORDS);
                id.close();
            });
            return;
        }
        try {
            configure(id);
            add(id);
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            say(name + ": refused " + id + ": " + Failures.text(e));
            closer.close(id);
            return;
        }
        forConnection(id, link -> link.ready = accept(link));
    }

    private MessageLink add(CmId id) throws RdmaException {
        MessageLink link = new MessageLink(id, plan.messages, plan.size);
        id.attach(link);
        links.add(link);
        return link;
    }

    private static MessageLink link(CmId id) {
        return (MessageLink) Objects.requireNonNull(id.attachment());
    }

    /** Runs the operation for each connection. On a server, a failure ends its own connection only. */
    final void forEach(Work work) throws RdmaException, InterruptedException {
        for (MessageLink link : List.copyOf(links)) {
            forConnection(link.id, work);
        }
    }

    /** Runs the operation for the connection of an id, unless an event or another operation has ended the connection. */
    final void forConnection(CmId id, Work work) throws RdmaException, InterruptedException {
        if (!(id.attachment() instanceof MessageLink link) || !links.contains(link)) {
            return;
        }
        try {
            work.on(link);
        } catch (StandardOutput.ClosedException e) {
            throw e;
        } catch (RdmaException | RuntimeException | OutOfMemoryError e) {
            if (!isServer() || events.isClosed()) {
                throw e;
            }
            fail(link, e);
        }
    }

    private void fail(MessageLink link, Throwable why) {
        if (!links.remove(link)) {
            return;
        }
        closer.close(link.id, link::close);
        failed += exchanging ? 1 : 0;
        say(name + ": " + link.id + ": " + Failures.text(why)
                + (exchanging ? "" : "; another connection may take its place"));
    }

    private RdmaException failure(CmEvent event) {
        CmEventType type = event.type();
        String advice = switch (type) {
            case REJECTED, UNREACHABLE ->
                isServer() || exchanging
                        ? ""
                        : "; is a server running there, with -c " + plan.connections + " or more and an equal -P?";
            case ADDR_ERROR, ROUTE_ERROR -> "; is there an RDMA device on this network? ./rdma4j doctor says";
            case DISCONNECTED -> "; the other side has given up; its output tells the reason";
            case DEVICE_REMOVAL -> "; the device was removed";
            default -> "";
        };
        return new RdmaException(event.toException().getMessage() + advice, event.toException());
    }

    /** True if {@code condition} holds for each connection that has not failed. */
    final boolean allConnections(Predicate<CmId> condition) {
        return links.stream().map(link -> link.id).allMatch(condition);
    }

    // Messages.

    /** Waits until the messages of each connection have been received. */
    final void receiveAll() throws RdmaException, InterruptedException {
        forEach(link -> await(link, MessageLink::hasAllArrived));
    }

    /** Waits until the messages of each connection have been sent. */
    final void completeSends() throws RdmaException, InterruptedException {
        forEach(link -> await(link, MessageLink::isAllSent));
    }

    /** Waits for completions of a link, and handles events of the connection manager meanwhile. */
    private void await(MessageLink link, Predicate<MessageLink> done) throws RdmaException, InterruptedException {
        Duration patience = plan.patienceWithMessages();
        Deadline deadline = Deadline.after(patience);
        while (links.contains(link) && !done.test(link)) {
            if (link.await(deadline, events)) {
                deadline = Deadline.after(patience);
            } else if (!handleWaitingEvent() && deadline.expired()) {
                throw outOfPatience(
                        patience, "messages of " + link.id + " are missing; are -c, -C and -S equal on both sides?");
            }
        }
    }

    private boolean handleWaitingEvent() throws RdmaException, InterruptedException {
        Optional<CmEvent> event = isServer() ? sturdy.poll() : events.pollEvent();
        if (event.isPresent()) {
            try (CmEvent present = event.get()) {
                handle(present);
            }
        }
        return event.isPresent();
    }

    /** Prints that the messages were received, and whether they are undamaged. */
    final void verify() throws RdmaException, InterruptedException {
        AtomicInteger ours = new AtomicInteger();
        forEach(link -> ours.addAndGet(link.verify()));
        say("data transfers complete");
        int all = links.size() * plan.messages;
        say(all + " messages of " + plan.size + " bytes "
                + (ours.get() == all
                        ? "verified"
                        : "received; " + (all - ours.get())
                                + " of them not verified: too short, or a C program's own"));
    }

    @Override
    final void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        links.forEach(link -> failure.attempt(link::close));
        closer.close();
        failure.attempt(events::close);
        failure.throwIfAny();
    }

    /** The plan of a client or a server: its options, and what they lead to. */
    static final class Plan {
        @Option(names = "-c", paramLabel = "N", description = "Number of connections, 1 to 100000 (${DEFAULT-VALUE}).")
        int connections = 1;

        @Option(
                names = "-C",
                paramLabel = "N",
                description = "Number of messages in each direction over each connection (${DEFAULT-VALUE}).")
        int messages = 10;

        @Option(names = "-S", paramLabel = "BYTES", description = "Size of a message (${DEFAULT-VALUE}).")
        int size = 100;

        @Option(
                names = "-t",
                paramLabel = "TOS",
                description = "Type of service of the connections of a client, 0 to 255.",
                converter = RdmaCommand.AnyRadix.class)
        @Nullable
        Integer typeOfService;

        @Option(
                names = "-w",
                paramLabel = "SECONDS",
                description =
                        "Time limit for the next message of the peer (default 30) and for an answer of the peer (default"
                                + " 120). A server waits for clients without a limit.")
        @Nullable
        Integer patience;

        PortSpace portSpace = PortSpace.TCP;

        /** The address that a client connects to; null for a server. */
        @Nullable
        SocketAddress server;

        /** The local address; null if a client leaves the choice to the kernel. */
        @Nullable
        SocketAddress local;

        /** A peer that is silent for longer sends nothing more; datagrams may also be lost. */
        Duration patienceWithMessages() {
            return Duration.ofSeconds(patience == null ? 30 : patience);
        }

        /** Longer than the kernel needs to detect that no peer answers. */
        Duration patienceWithEvents() {
            return Duration.ofSeconds(patience == null ? 120 : patience);
        }
    }
}
