// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.RdmaCommand.AnyRadix;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j udaddy}. */
@Command(
        name = "udaddy",
        description = "Exchange datagrams. Compatible with udaddy(1).",
        footer = {"", "Without -s the program is the server. It ends when it has answered one client."})
public final class UdaddyCommand extends TransferCommand {
    /** The port of {@code udaddy(1)}, which has no option for another port. */
    private static final String PORT = "7174";

    @Option(names = "-P", paramLabel = "SPACE", description = "Port space: udp or ipoib (${DEFAULT-VALUE}).")
    private String portSpace = "udp";

    @Option(
            names = "-p",
            paramLabel = "NUMBER",
            description = "Port space by number, instead of -P: 0x0111 for udp, 0x0002 for ipoib.",
            converter = AnyRadix.class)
    private @Nullable Integer portSpaceNumber;

    @Override
    public Integer call() throws RdmaException, InterruptedException {
        Transfer.Plan plan = plan(portSpaceNumber == null ? byName() : byNumber(portSpaceNumber), PORT);
        new Udaddy(plan, out()).run();
        return 0;
    }

    private PortSpace byName() {
        return switch (portSpace.toLowerCase(Locale.ROOT)) {
            case "udp" -> PortSpace.UDP;
            case "ipoib" -> PortSpace.IPOIB;
            default -> throw wrong("-P " + portSpace + " is not a port space; it must be udp or ipoib");
        };
    }

    private PortSpace byNumber(int number) {
        return Stream.of(PortSpace.UDP, PortSpace.IPOIB)
                .filter(space -> space.code() == number)
                .findFirst()
                .orElseThrow(() -> wrong(
                        "-p " + portSpaceNumber + " is not a port space; it must be 0x0111 (udp) or 0x0002 (ipoib)"));
    }

    /**
     * A run of either side: the client sends to the address in the server's answer, and the server sends back to the source
     * of the client's first datagram.
     */
    private static final class Udaddy extends Transfer {
        /** A datagram id sends its queue pair number; the kernel ignores the other parameters. */
        private static final ConnectionParameters PARAMETERS = ConnectionParameters.builder()
                .responderResources(0)
                .initiatorDepth(0)
                .retryCount(0)
                .rnrRetryCount(0)
                .build();

        Udaddy(Transfer.Plan plan, PrintWriter out) throws RdmaException {
            super("udaddy", plan, out);
        }

        @Override
        void configure(CmId id) throws RdmaException {
            if (plan.messages > 0) {
                requireOnePacket(id, plan.size);
            }
        }

        @Override
        void connect(MessageLink link) throws RdmaException {
            link.id.connect(PARAMETERS);
        }

        @Override
        boolean accept(MessageLink link) throws RdmaException {
            link.id.accept(PARAMETERS);
            return true;
        }

        @Override
        void established(MessageLink link, CmEvent event) throws RdmaException {
            DatagramPeer peer = event.datagramPeer().orElseThrow();
            link.sendTo(peer.ahAttr(), peer.qpn(), peer.qkey());
        }

        @Override
        void runClient() throws RdmaException, InterruptedException {
            if (plan.messages == 0) {
                return;
            }
            say("initiating data transfers");
            forEach(MessageLink::sendOwn);
            say("receiving data transfers");
            receiveAll();
            verify();
        }

        @Override
        void runServer(CmId listener) throws RdmaException, InterruptedException {
            if (plan.messages == 0) {
                return;
            }
            say("receiving data transfers");
            receiveAll();
            say("sending replies");
            forEach(Udaddy::answer);
            completeSends();
            verify();
        }

        private static void answer(MessageLink link) throws RdmaException {
            link.sendToFirstSender();
            link.sendBack();
        }
    }
}
