// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.attr.QpState;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Connects queue pairs of an iWARP device. Only the connection manager can do this, because the device uses TCP. Both
 * ends of a connection are in this process. Closing this ends the connections.
 */
record IwarpConnections(Card card, InetAddress address, EventChannel channel) implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    static IwarpConnections open(Card card) throws RdmaException, Check.LeftOutException {
        InetAddress address = card.requireAddress();
        return new IwarpConnections(card, address, EventChannel.open(card.kernel()));
    }

    /** Brings both queue pairs to RTS; {@code active} is the side that connects, and must send first. */
    void connect(QueuePair active, QueuePair passive)
            throws RdmaException, InterruptedException, Check.CheckFailedException {
        try (CmId listener = channel.createId(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(address, 0));
            listener.listen(1);
            CmId id = channel.createId(PortSpace.TCP);
            id.resolveAddress(listener.localAddress().orElseThrow(), LIMIT);
            await(CmEventType.ADDR_RESOLVED);
            expect(
                    "the device of " + address.getHostAddress(),
                    id.context().device().name(),
                    card.device().name());
            id.resolveRoute(LIMIT);
            await(CmEventType.ROUTE_RESOLVED);
            id.connect(ready(id, active));
            CmId accepted = await(CmEventType.CONNECT_REQUEST);
            accepted.accept(ready(accepted, passive));
            await(CmEventType.ESTABLISHED);
            await(CmEventType.ESTABLISHED);
            // the device has already moved both queue pairs; this call updates the objects
            active.modify(id.userManagedQp().attributes(QpState.RTS));
            passive.modify(accepted.userManagedQp().attributes(QpState.RTS));
        }
    }

    /** Brings a queue pair to INIT, from where the device continues by itself. */
    private static ConnectionParameters ready(CmId id, QueuePair qp) throws RdmaException {
        qp.modify(id.userManagedQp().attributes(QpState.INIT));
        return ConnectionParameters.builder().qpNumber(qp.qpn()).build();
    }

    private CmId await(CmEventType type) throws RdmaException, InterruptedException, Check.CheckFailedException {
        while (true) {
            CmEvent event = channel.awaitEvent(LIMIT)
                    .orElseThrow(
                            () -> new Check.CheckFailedException("no " + type + " in " + LIMIT.toSeconds() + " s"));
            try (event) {
                if (event.type() == type) {
                    return event.id();
                }
                if (event.type() != CmEventType.DISCONNECTED) { // the event of an ended connection
                    throw event.toException();
                }
            }
        }
    }

    @Override
    public void close() throws RdmaException {
        channel.close();
    }
}
