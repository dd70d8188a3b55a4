// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The client of the exchange: {@code count} pings of {@code size} bytes, each compared with the data that comes back.
 * Ends when the server disconnects, the device is removed, or an answer does not arrive in time.
 */
public final class PingClient {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /** The server reads the source and writes the sink. */
    private static final Set<Access> REMOTE = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);

    /**
     * The number of pings between checks for events. At full rate the client seldom waits, so it checks for removal of
     * the device.
     */
    private static final int PINGS_BETWEEN_LOOKS = 64;

    private final PingOptions options;
    private final PrintWriter out;
    private final ByteBuffer sourceBuffer;
    private final ByteBuffer sinkBuffer;

    /** Creates a client that prints on {@code out} if the options are verbose. */
    public PingClient(PingOptions options, PrintWriter out) {
        this.options = options;
        this.out = out;
        this.sourceBuffer = ByteBuffer.allocateDirect(options.size);
        this.sinkBuffer = ByteBuffer.allocateDirect(options.size);
    }

    /** Connects, exchanges pings, and disconnects. Throws if the data that comes back differs from the data sent. */
    public PingResult run() throws RdmaException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.TCP)) {
            ClientEvents events = new ClientEvents(channel, RdmaCommand.limit(options.timeout));
            resolve(id, events);
            try (PingLink link = new PingLink(id, events::await)) {
                MemoryRegion source = link.register(sourceBuffer, REMOTE);
                MemoryRegion sink = link.register(sinkBuffer, REMOTE);
                id.connect(PingLink.PARAMETERS);
                events.expect(CmEventType.ESTABLISHED);
                PingResult result = exchange(link, events, source, sink);
                id.disconnect();
                events.awaitEnd();
                return result;
            }
        }
    }

    private void resolve(CmId id, ClientEvents events) throws RdmaException, InterruptedException {
        try {
            id.resolveAddress(options.address, RESOLVE_TIMEOUT);
            events.expect(CmEventType.ADDR_RESOLVED);
            id.resolveRoute(RESOLVE_TIMEOUT);
            events.expect(CmEventType.ROUTE_RESOLVED);
        } catch (RdmaException e) {
            throw Addresses.explain(options.address, e);
        }
    }

    private PingResult exchange(PingLink link, ClientEvents events, MemoryRegion source, MemoryRegion sink)
            throws RdmaException, InterruptedException {
        PingResult result = new PingResult();
        try {
            for (int ping = 0; options.count == 0 || ping < options.count; ping++) {
                if (ping % PINGS_BETWEEN_LOOKS == 0) {
                    events.look();
                }
                result.add(exchange(ping, link, source, sink));
            }
        } catch (RdmaException e) {
            throw events.explain(e, "after " + result.count() + " pings");
        }
        return result;
    }

    /** Exchanges a ping; returns its time in nanoseconds. */
    private long exchange(int ping, PingLink link, MemoryRegion source, MemoryRegion sink)
            throws RdmaException, InterruptedException {
        PingData.fill(sourceBuffer, ping);
        long start = System.nanoTime();
        link.offer(source);
        link.awaitMessage();
        link.offer(sink);
        link.awaitMessage();
        long nanos = System.nanoTime() - start;
        if (!sourceBuffer.equals(sinkBuffer)) {
            throw new RdmaException("ping " + ping + ": data mismatch at byte " + sourceBuffer.mismatch(sinkBuffer));
        }
        if (options.verbose) {
            out.println("ping data: " + PingData.text(sinkBuffer, options.size));
        }
        return nanos;
    }

    /** The CM events of a client, which its only thread retrieves while it waits for completions. */
    private record ClientEvents(EventChannel channel, Duration patience) {
        /** Waits for an event of this type; throws the failure reported by an event of another type. */
        void expect(CmEventType type) throws RdmaException, InterruptedException {
            try (CmEvent event = channel.awaitEvent(patience).orElseThrow(this::outOfPatience)) {
                if (event.type() != type) {
                    throw failure(event);
                }
            }
        }

        private RdmaException outOfPatience() {
            return new RdmaException("no answer from the server for " + patience.toSeconds()
                    + " s (--timeout). Is the server stopped, or another program?");
        }

        /** Waits for a completion; throws if an event ends the connection meanwhile. */
        void await(CompletionQueue cq, WorkCompletion[] into) throws RdmaException, InterruptedException {
            Deadline deadline = Deadline.after(patience);
            while (cq.await(into, deadline, channel) == 0) {
                look();
                if (deadline.expired()) {
                    throw outOfPatience();
                }
            }
        }

        /** Throws if an event has ended the connection. */
        void look() throws RdmaException {
            for (Optional<CmEvent> event = channel.pollEvent(); event.isPresent(); event = channel.pollEvent()) {
                try (CmEvent present = event.get()) {
                    if (present.type().endsConnection()) {
                        throw failure(present);
                    }
                }
            }
        }

        /** The failure of an exchange or, if an event caused it, the event, with the time. */
        RdmaException explain(RdmaException failure, String when) {
            RdmaException cause = failure;
            try {
                look();
            } catch (RdmaException e) {
                e.addSuppressed(failure);
                cause = e;
            }
            return new RdmaException(when + ": " + cause.getMessage(), cause);
        }

        /** Waits until the connection has ended for any reason, or until the time limit. */
        void awaitEnd() throws RdmaException, InterruptedException {
            boolean ended = false;
            while (!ended) {
                Optional<CmEvent> event = channel.awaitEvent(patience);
                ended = event.isEmpty() || event.get().type().endsConnection();
                event.ifPresent(CmEvent::close);
            }
        }

        private static RdmaException failure(CmEvent event) {
            return event.type() == CmEventType.DISCONNECTED
                    ? new RdmaException("the server has disconnected; its output tells the reason", event.toException())
                    : Failures.of(event);
        }
    }
}
