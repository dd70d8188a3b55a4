// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.net.InetSocketAddress;

/** A server that waits for a client, is told that the device goes, and lets go of it. */
final class RemovedDevice {
    private RemovedDevice() {}

    /** Arguments: address and port. */
    public static void main(String[] arguments) throws Exception {
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        RdmaCmId listener = events.createId(RdmaCm.RDMA_PS_TCP);
        listener.bindAddr(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])));
        listener.listen(1);
        Peer peer = new Peer(Peer.resolved(events, (InetSocketAddress) listener.getSource()));
        System.out.println("ready");
        for (int told = 0; told < 2; told++) {
            RdmaCmEvent event = Peer.expect(events, Peer.DEVICE_REMOVAL);
            System.out.println("told " + (event.getConnIdPriv() == listener ? "of the listener" : "of the client"));
        }
        Lines.show("post", () -> peer.post(peer.send(1, 1)));
        peer.id.destroyId();
        peer.cq.destroyCQ();
        peer.channel.destroyCompChannel();
        peer.mr.deregMr().execute();
        peer.pd.deallocPd();
        listener.destroyId();
        System.out.println("let go");
        System.in.read();
    }
}
