// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The active side: address, route, queue pair, request. */
final class Connecting extends Handshake {
    private static final Duration LONG = Duration.ofDays(10);

    private final InetSocketAddress to;

    Connecting(LoopThread loop, InetSocketAddress to, ConnectOptions options) {
        super(loop, options);
        this.to = to;
    }

    @Override
    void first() throws RdmaException {
        CmId id = adopt(loop().channel().createId(PortSpace.TCP));
        InetSocketAddress source = options().source();
        start("resolving the address of " + to, () -> {
            if (source == null) {
                id.resolveAddress(to, kernelLimit());
            } else {
                id.resolveAddress(source, to, kernelLimit());
            }
        });
    }

    /** The loop keeps the time: the kernel, which wants a limit of its own, gets one that is over later. */
    private Duration kernelLimit() {
        Duration limit = options().timeout();
        return limit.compareTo(LONG) > 0 ? limit : limit.multipliedBy(2).plusSeconds(1);
    }

    @Override
    void proceed(CmEvent event) throws RdmaException {
        CmId id = event.id();
        switch (event.type()) {
            case ADDR_RESOLVED -> start("resolving the route to " + to, () -> id.resolveRoute(kernelLimit()));
            case ROUTE_RESOLVED ->
                prepare(id, "connecting to " + to, () -> id.connect(options().parameters()));
            case ESTABLISHED -> established(event);
            default -> passOn(event);
        }
    }
}
