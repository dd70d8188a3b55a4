// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A run of either side: the server sends, the client sends back, and the server ends the connections. */
final class Cmatose extends Transfer {
    private static final ConnectionParameters REQUEST = ConnectionParameters.builder()
            .responderResources(1)
            .initiatorDepth(1)
            .retryCount(5)
            .rnrRetryCount(0)
            .build();

    private final boolean migrate;
    private final @Nullable Integer ackTimeout;

    /**
     * Creates a run.
     *
     * @param migrate true if all ids move to another event channel before the connections end
     * @param ackTimeout the exponent of the acknowledgement timeout; null for the kernel's choice
     */
    Cmatose(TransferPlan plan, boolean migrate, @Nullable Integer ackTimeout, PrintWriter out) throws RdmaException {
        super("cmatose", plan, out);
        this.migrate = migrate;
        this.ackTimeout = ackTimeout;
    }

    @Override
    protected void configure(CmId id) throws RdmaException {
        if (ackTimeout != null) {
            id.settings().ackTimeout(ackTimeout);
        }
    }

    @Override
    protected void connect(MessageLink link) throws RdmaException {
        link.id.connect(REQUEST);
    }

    @Override
    protected boolean accept(MessageLink link) throws RdmaException {
        link.id.accept(ConnectionParameters.DEFAULT);
        return false;
    }

    @Override
    protected void established(MessageLink link, CmEvent event) {
        // the queue pair is ready; nothing else to do
    }

    @Override
    protected void runServer(CmId listener) throws RdmaException, InterruptedException {
        if (plan.messages() > 0) {
            say("initiating data transfers");
            forEach(MessageLink::sendOwn);
            say("completing sends");
            completeSends();
            say("receiving data transfers");
            receiveAll();
            verify();
        }
        if (migrate) {
            EventChannel second = EventChannel.open();
            listener.migrate(second);
            migrateTo(second);
        }
        say("cmatose: disconnecting");
        forEach(link -> link.id.disconnect());
        awaitEnds();
        say("disconnected");
    }

    @Override
    protected void runClient() throws RdmaException, InterruptedException {
        if (plan.messages() > 0) {
            say("receiving data transfers");
            receiveAll();
            say("sending replies");
            forEach(MessageLink::sendBack);
            verify();
        }
        if (migrate) {
            migrateTo(EventChannel.open());
        }
        awaitEnds();
    }

    /** Migrates all ids. Every event is already acknowledged, because migration waits for unacknowledged events. */
    private void migrateTo(EventChannel second) throws RdmaException, InterruptedException {
        say("migrating to new event channel");
        forEach(link -> link.id.migrate(second));
        useChannel(second);
    }

    /** Waits until every connection has ended. A side that did not start the disconnect answers it. */
    private void awaitEnds() throws RdmaException, InterruptedException {
        Set<CmId> ended = new HashSet<>();
        while (!allConnections(ended::contains)) {
            try (CmEvent event = awaitEvent("the other side does not end the connections")) {
                if (event.type().endsConnection() && event.type() != CmEventType.DEVICE_REMOVAL) {
                    ended.add(event.id());
                    forConnection(event.id(), link -> link.id.disconnect());
                } else {
                    handle(event);
                }
            }
        }
    }
}
