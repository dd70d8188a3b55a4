// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/** Sets up a connection on the active side: address, route, queue pair, request. */
final class Connecting extends Handshake {
    private static final Duration LONG = Duration.ofDays(10);

    /**
     * The time after which address resolution is restarted in the kernel. The kernel sends three ARP or ND requests
     * within three seconds, then only waits for an answer: without a restart, a peer that comes up later or missed the
     * requests would not be found.
     */
    private static final Duration RESOLVES_AGAIN = Duration.ofSeconds(2);

    private static final String NO_ANSWER =
            "The peer's program did not answer the request, or no RDMA device received it: check that"
                    + " the program accepts, that the device is up, and that no firewall blocks UDP port 4791";

    private final InetSocketAddress to;

    Connecting(LoopThread loop, InetSocketAddress to, ConnectOptions options) {
        super(loop, options);
        this.to = to;
    }

    @Override
    void first() throws RdmaException {
        CmId id = routeEvents(loop.channel.createId(PortSpace.TCP));
        start("resolving the address of " + to, inTime(CmEventType.ADDR_ERROR), () -> resolve(id));
    }

    private void resolve(CmId id) throws RdmaException {
        Optional<InetSocketAddress> source = options.source();
        if (source.isPresent()) {
            id.resolveAddress(source.get(), to, RESOLVES_AGAIN);
        } else {
            id.resolveAddress(to, RESOLVES_AGAIN);
        }
    }

    @Override
    boolean triesAgain(CmEvent failure) throws RdmaException {
        if (failure.type() != CmEventType.ADDR_ERROR || failure.status() != -Errno.ETIMEDOUT.number()) {
            return false;
        }
        resolve(failure.id());
        return true;
    }

    /** Returns the advice for the timeout event that the kernel would report. */
    private static String inTime(CmEventType failure) {
        return CmEventException.advice(failure, -Errno.ETIMEDOUT.number());
    }

    /** Returns a limit for the kernel beyond the loop's own time limit, which the loop enforces itself. */
    private Duration kernelLimit() {
        Duration limit = options.timeout();
        return limit.compareTo(LONG) > 0 ? limit : limit.multipliedBy(2).plusSeconds(1);
    }

    @Override
    void proceed(CmEvent event) throws RdmaException {
        CmId id = event.id();
        switch (event.type()) {
            case ADDR_RESOLVED ->
                start(
                        "resolving the route to " + to,
                        inTime(CmEventType.ROUTE_ERROR),
                        () -> id.resolveRoute(kernelLimit()));
            case ROUTE_RESOLVED -> prepare(id, "connecting to " + to, NO_ANSWER, id::connect);
            case ESTABLISHED -> established(event);
            default -> passOn(event);
        }
    }
}
