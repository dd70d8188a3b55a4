// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.Readiness;
import java.io.PrintWriter;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * One run of one side: makes the connections, lets the program exchange messages over them, and says how it ended. One
 * thread does everything: it waits for events of the connection manager and for completions at the same time.
 */
public abstract class Transfer {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /** A peer that sends nothing for so long will send nothing any more; datagrams may also be lost. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** As many as the kernel lets wait unless it is told otherwise. */
    private static final int BACKLOG = 1024;

    private static final byte[] NO_WORDS = {};

    private final String name;
    private final TransferPlan plan;
    private final PrintWriter out;
    private final List<MessageLink> links = new ArrayList<>();
    private EventChannel events;
    private int ready;

    /** A run that is called {@code name}; opens the event channel that {@link #run} closes. */
    protected Transfer(String name, TransferPlan plan, PrintWriter out) throws RdmaException {
        this.name = name;
        this.plan = plan;
        this.out = out;
        events = EventChannel.open();
    }

    /** Runs the client or the server, closes everything, and says how it went as C says it. */
    public final void run() throws RdmaException, InterruptedException {
        int status = 1;
        try {
            try {
                exchange();
            } finally {
                say("test complete");
                close();
            }
            status = 0;
        } finally {
            say("return status " + status);
        }
    }

    private void exchange() throws RdmaException, InterruptedException {
        SocketAddress server = plan.server();
        if (server != null) {
            say(name + ": starting client");
            connect(server);
            awaitReady();
            runClient();
            return;
        }
        say(name + ": starting server");
        CmId listener = events.createId(plan.portSpace());
        listener.bind(Objects.requireNonNull(plan.local()));
        listener.listen(BACKLOG);
        awaitReady();
        runServer(listener);
    }

    /** What a client does when all connections are there. */
    protected abstract void runClient() throws RdmaException, InterruptedException;

    /** What a server does when all connections are there. */
    protected abstract void runServer(CmId listener) throws RdmaException, InterruptedException;

    /** Connects a client's id, whose link has its receives posted. */
    protected abstract void connect(MessageLink link) throws RdmaException;

    /** Accepts the request of a link that has its receives posted. True when no event will follow. */
    protected abstract boolean accept(MessageLink link) throws RdmaException;

    /** Called when an id may be given options: a client's when its address is resolved, a server's at once. */
    protected abstract void configure(CmId id) throws RdmaException;

    /** Called for the event that says that a link may be used. */
    protected abstract void established(MessageLink link, CmEvent event) throws RdmaException;

    /** What is to be done. */
    protected final TransferPlan plan() {
        return plan;
    }

    /** The connections, in the order in which they were made. */
    protected final List<MessageLink> links() {
        return links;
    }

    /** The channel that all ids are on. */
    protected final EventChannel events() {
        return events;
    }

    /** Takes another channel for that, once all ids have migrated; closes the old one. */
    protected final void useChannel(EventChannel channel) throws RdmaException {
        EventChannel left = events;
        events = channel;
        left.close();
    }

    // Connections.

    private void connect(SocketAddress server) throws RdmaException {
        say(name + ": connecting");
        for (int i = 0; i < plan.connections(); i++) {
            CmId id = events.createId(plan.portSpace());
            SocketAddress local = plan.local();
            if (local == null) {
                id.resolveAddress(server, RESOLVE_TIMEOUT);
            } else {
                id.resolveAddress(local, server, RESOLVE_TIMEOUT);
            }
        }
    }

    private void awaitReady() throws RdmaException, InterruptedException {
        while (ready < plan.connections()) {
            try (CmEvent event = events.awaitEvent()) {
                handle(event);
            }
        }
    }

    /**
     * Does what an event asks for.
     *
     * @throws RdmaException when it is the end of the run
     */
    protected final void handle(CmEvent event) throws RdmaException {
        CmId id = event.id();
        switch (event.type()) {
            case ADDR_RESOLVED -> {
                configure(id);
                Integer typeOfService = plan.typeOfService();
                if (typeOfService != null) {
                    id.options().typeOfService(typeOfService);
                }
                id.resolveRoute(RESOLVE_TIMEOUT);
            }
            case ROUTE_RESOLVED -> connect(add(id));
            case CONNECT_REQUEST -> handleRequest(id);
            case ESTABLISHED -> {
                established(link(id), event);
                ready++;
            }
            case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE, REJECTED, DISCONNECTED, DEVICE_REMOVAL ->
                throw failure(event);
            default -> {
                // Nothing is asked for.
            }
        }
    }

    private void handleRequest(CmId id) throws RdmaException {
        if (links.size() == plan.connections()) {
            say(name + ": failing connection request");
            id.reject(NO_WORDS);
            id.close();
            return;
        }
        configure(id);
        if (accept(add(id))) {
            ready++;
        }
    }

    private MessageLink add(CmId id) throws RdmaException {
        MessageLink link = new MessageLink(id, plan);
        id.attach(link);
        links.add(link);
        return link;
    }

    private static MessageLink link(CmId id) {
        return (MessageLink) Objects.requireNonNull(id.attachment());
    }

    private RdmaException failure(CmEvent event) {
        CmEventType type = event.type();
        String advice = switch (type) {
            case REJECTED, UNREACHABLE ->
                "; is a server running there, with -c " + plan.connections() + " or more, and the same -P?";
            case ADDR_ERROR, ROUTE_ERROR -> "; is there an RDMA device on this network? ./rdma4j doctor says";
            case DISCONNECTED -> "; the other side has given up, and says why";
            default -> "";
        };
        return new RdmaException(event.toException().getMessage() + advice, event.toException());
    }

    // Messages.

    /** Waits until each connection's messages have come, and says what they are. */
    protected final void receiveAll() throws RdmaException, InterruptedException {
        for (MessageLink link : links) {
            await(link, MessageLink::hasAllArrived);
        }
    }

    /** Waits until each connection's messages have gone. */
    protected final void completeSends() throws RdmaException, InterruptedException {
        for (MessageLink link : links) {
            await(link, MessageLink::isAllSent);
        }
    }

    /** Waits for completions of a link, and handles the events of the connection manager that come meanwhile. */
    private void await(MessageLink link, Predicate<MessageLink> done) throws RdmaException, InterruptedException {
        while (!done.test(link)) {
            if (link.poll()) {
                continue;
            }
            List<Pollable> waiting = Readiness.await(PATIENCE, link.completions(), events);
            if (waiting.isEmpty()) {
                throw new RdmaException(link.id() + ": nothing has come for " + PATIENCE.toSeconds()
                        + " s, and messages are missing; do both sides have the same -c, -C and -S?");
            }
            if (waiting.contains(link.completions())) {
                link.completions().awaitEvent(Duration.ZERO);
            }
            if (waiting.contains(events)) {
                try (CmEvent event = events.awaitEvent()) {
                    handle(event);
                }
            }
        }
    }

    /** Says that the messages have come, and whether they are as they were sent. */
    protected final void verify() throws RdmaException {
        int ours = 0;
        for (MessageLink link : links) {
            ours += link.verify();
        }
        say("data transfers complete");
        int all = plan.connections() * plan.messages();
        say(all + " messages of " + plan.size() + " bytes "
                + (ours == all
                        ? "verified"
                        : "received; " + (all - ours) + " of them not verified: too short, or a C program's own"));
    }

    /** Prints a line at once. */
    protected final void say(String line) {
        out.println(line);
        out.flush();
    }

    private void close() throws RdmaException {
        RdmaException failure = null;
        for (MessageLink link : links) {
            try {
                link.close();
            } catch (RdmaException e) {
                failure = failure == null ? e : failure;
            }
        }
        events.close();
        if (failure != null) {
            throw failure;
        }
    }
}
