// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cli.run.Addresses;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.attr.Access;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    private final Options options;
    private final PrintWriter out;
    private final ByteBuffer sourceBuffer;
    private final ByteBuffer sinkBuffer;

    /** Creates a client that prints on {@code out} if the options are verbose. */
    public PingClient(Options options, PrintWriter out) {
        this.options = options;
        this.out = out;
        this.sourceBuffer = ByteBuffer.allocateDirect(options.size());
        this.sinkBuffer = ByteBuffer.allocateDirect(options.size());
    }

    /** Connects, exchanges pings, and disconnects. Throws if the data that comes back differs from the data sent. */
    public PingResult run() throws RdmaException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.TCP)) {
            ClientEvents events = new ClientEvents(channel, options.patience());
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
            id.resolveAddress(options.address(), RESOLVE_TIMEOUT);
            events.expect(CmEventType.ADDR_RESOLVED);
            id.resolveRoute(RESOLVE_TIMEOUT);
            events.expect(CmEventType.ROUTE_RESOLVED);
        } catch (RdmaException e) {
            throw Addresses.explain(options.address(), e);
        }
    }

    private PingResult exchange(PingLink link, ClientEvents events, MemoryRegion source, MemoryRegion sink)
            throws RdmaException, InterruptedException {
        PingResult result = new PingResult();
        try {
            for (int ping = 0; options.count() == 0 || ping < options.count(); ping++) {
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
        if (options.verbose()) {
            out.println("ping data: " + PingData.text(sinkBuffer, options.size()));
        }
        return nanos;
    }

    /**
     * Options of a ping client.
     *
     *
     * @param address the address of the server
     * @param count number of pings; 0 means no limit
     * @param size size of a ping in bytes
     * @param verbose true to print the data
     * @param patience time limit for each answer of the server; null for no limit
     */
    public record Options(
            InetSocketAddress address,
            int count,
            int size,
            boolean verbose,
            @Nullable Duration patience) {
        /** Default time limit for an answer. */
        public static final Duration PATIENCE = Duration.ofMinutes(2);

        /** Returns options with the default time limit and without printing. */
        public static Options of(InetSocketAddress address, int count, int size) {
            return new Options(address, count, size, false, PATIENCE);
        }
    }
}
