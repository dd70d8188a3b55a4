// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;

/**
 * A run of either side: the client sends to the address in the server's answer, and the server sends back to the source
 * of the client's first datagram.
 */
final class Udaddy extends Transfer {
    /** A datagram id sends its queue pair number; the kernel ignores the other parameters. */
    private static final ConnectionParameters PARAMETERS = ConnectionParameters.builder()
            .responderResources(0)
            .initiatorDepth(0)
            .retryCount(0)
            .rnrRetryCount(0)
            .build();

    /** Creates a run. */
    Udaddy(TransferPlan plan, PrintWriter out) throws RdmaException {
        super("udaddy", plan, out);
    }

    @Override
    protected void configure(CmId id) throws RdmaException {
        if (plan.messages() > 0) {
            requireOnePacket(id, plan.size());
        }
    }

    @Override
    protected void connect(MessageLink link) throws RdmaException {
        link.id.connect(PARAMETERS);
    }

    @Override
    protected boolean accept(MessageLink link) throws RdmaException {
        link.id.accept(PARAMETERS);
        return true;
    }

    @Override
    protected void established(MessageLink link, CmEvent event) throws RdmaException {
        DatagramPeer peer = event.datagramPeer().orElseThrow();
        link.sendTo(peer.ahAttr(), peer.qpn(), peer.qkey());
    }

    @Override
    protected void runClient() throws RdmaException, InterruptedException {
        if (plan.messages() == 0) {
            return;
        }
        say("initiating data transfers");
        forEach(MessageLink::sendOwn);
        say("receiving data transfers");
        receiveAll();
        verify();
    }

    @Override
    protected void runServer(CmId listener) throws RdmaException, InterruptedException {
        if (plan.messages() == 0) {
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
