// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.Access;
import io.github.rdma4j.verbs.MemoryRegion;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The client of the exchange: {@code count} pings of {@code size} bytes, each compared with what comes back. */
public final class PingClient {
    private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);

    /** The server reads the one and writes the other. */
    private static final Set<Access> REMOTE = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);

    private final InetSocketAddress address;
    private final int count;
    private final int size;
    private final boolean verbose;
    private final PrintStream out;
    private final ByteBuffer sourceBuffer;
    private final ByteBuffer sinkBuffer;

    /** A client of the server at {@code address}; {@code count} 0 goes on until it is interrupted. */
    public PingClient(InetSocketAddress address, int count, int size, boolean verbose, PrintStream out) {
        this.address = address;
        this.count = count;
        this.size = size;
        this.verbose = verbose;
        this.out = out;
        this.sourceBuffer = ByteBuffer.allocateDirect(size);
        this.sinkBuffer = ByteBuffer.allocateDirect(size);
    }

    /** Connects, exchanges, disconnects. Throws when anything came back other than it went. */
    public PingResult run() throws RdmaException, InterruptedException {
        try (EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.TCP)) {
            id.resolveAddress(address, RESOLVE_TIMEOUT);
            expect(channel, CmEventType.ADDR_RESOLVED);
            id.resolveRoute(RESOLVE_TIMEOUT);
            expect(channel, CmEventType.ROUTE_RESOLVED);
            try (PingLink link = new PingLink(id)) {
                MemoryRegion source = link.register(sourceBuffer, REMOTE);
                MemoryRegion sink = link.register(sinkBuffer, REMOTE);
                id.connect(PingLink.PARAMETERS);
                expect(channel, CmEventType.ESTABLISHED);
                Thread pump = new Thread(() -> answerDisconnect(channel), "cm events");
                pump.setDaemon(true);
                pump.start();
                PingResult result = exchange(link, source, sink);
                id.disconnect();
                pump.join();
                return result;
            }
        }
    }

    private PingResult exchange(PingLink link, MemoryRegion source, MemoryRegion sink)
            throws RdmaException, InterruptedException {
        PingResult result = new PingResult();
        for (int ping = 0; count == 0 || ping < count; ping++) {
            PingData.fill(sourceBuffer, ping);
            long start = System.nanoTime();
            link.offer(source);
            link.awaitMessage();
            link.offer(sink);
            link.awaitMessage();
            long nanos = System.nanoTime() - start;
            if (!sourceBuffer.equals(sinkBuffer)) {
                throw new RdmaException(
                        "ping " + ping + ": data mismatch at byte " + sourceBuffer.mismatch(sinkBuffer));
            }
            result.add(nanos);
            if (verbose) {
                out.println("ping data: " + PingData.text(sinkBuffer, size));
            }
        }
        return result;
    }

    private static void expect(EventChannel channel, CmEventType type) throws RdmaException, InterruptedException {
        try (CmEvent event = channel.awaitEvent()) {
            if (event.type() != type) {
                throw event.toException();
            }
        }
    }

    /** A DISCONNECTED that nobody answered would leave the other thread waiting for a message that never comes. */
    private static void answerDisconnect(EventChannel channel) {
        try {
            CmEventType type;
            do {
                try (CmEvent event = channel.awaitEvent()) {
                    type = event.type();
                    if (type == CmEventType.DISCONNECTED && event.id().state() == CmState.DISCONNECTED) {
                        event.id().disconnect();
                    }
                }
            } while (type != CmEventType.DISCONNECTED);
        } catch (RdmaException | IllegalStateException e) {
            // The channel was closed, which ends the connection as well.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
