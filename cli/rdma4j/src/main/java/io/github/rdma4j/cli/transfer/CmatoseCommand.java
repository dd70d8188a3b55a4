// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.RdmaCommand.AnyRadix;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j cmatose}. */
@Command(
        name = "cmatose",
        description = "Make connections and exchange messages. Compatible with ucmatose(1).",
        footer = {"", "Without -s the program is the server. It ends when the connections of one client have ended."})
public final class CmatoseCommand extends TransferCommand {
    /** The port of {@code ucmatose(1)}. */
    private static final String PORT = "7471";

    private static final int MAX_ACK_TIMEOUT = 31;

    @Option(names = "-P", paramLabel = "SPACE", description = "Port space: tcp or ib (${DEFAULT-VALUE}).")
    private String portSpace = "tcp";

    @Option(names = "-p", paramLabel = "PORT", description = "Port or service name of the server (${DEFAULT-VALUE}).")
    private String port = PORT;

    @Option(
            names = {"-m", "--migrate"},
            description = "Move all ids to another event channel before the connections end.")
    private boolean migrate;

    @Option(
            names = "-a",
            paramLabel = "N",
            description = "Acknowledgement timeout of 4.096 us times two to the power of N, 0 to 31.",
            converter = AnyRadix.class)
    private @Nullable Integer ackTimeout;

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        requireWithin("-a", ackTimeout, 0, MAX_ACK_TIMEOUT);
        Transfer.Plan plan = plan(portSpace(), port);
        new Cmatose(plan).run();
        return 0;
    }

    private PortSpace portSpace() {
        return switch (portSpace.toLowerCase(Locale.ROOT)) {
            case "tcp" -> PortSpace.TCP;
            case "ib" -> PortSpace.IB;
            default -> throw wrong("-P " + portSpace + " is not a port space; it must be tcp or ib");
        };
    }

    /** A run of either side: the server sends, the client sends back, and the server ends the connections. */
    private final class Cmatose extends Transfer {
        private static final ConnectionParameters REQUEST = ConnectionParameters.builder()
                .responderResources(1)
                .initiatorDepth(1)
                .retryCount(5)
                .rnrRetryCount(0)
                .build();

        Cmatose(Transfer.Plan plan) throws RdmaException {
            super("cmatose", plan, out());
        }

        @Override
        void configure(CmId id) throws RdmaException {
            if (ackTimeout != null) {
                id.settings().ackTimeout(ackTimeout);
            }
        }

        @Override
        void connect(MessageLink link) throws RdmaException {
            link.id.connect(REQUEST);
        }

        @Override
        boolean accept(MessageLink link) throws RdmaException {
            link.id.accept(ConnectionParameters.DEFAULT);
            return false;
        }

        @Override
        void runServer(CmId listener) throws RdmaException, InterruptedException {
            if (plan.messages > 0) {
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
        void runClient() throws RdmaException, InterruptedException {
            if (plan.messages > 0) {
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
}
