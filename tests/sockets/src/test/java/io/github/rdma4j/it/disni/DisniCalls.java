// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import static io.github.rdma4j.it.disni.Lines.show;
import static io.github.rdma4j.it.disni.Lines.step;
import static io.github.rdma4j.it.disni.Lines.waits;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Prints what DiSNI's calls do, both ends of a connection in one process, without addresses and numbers that differ from run to run. The
 * same program runs with libdisni; {@code disni/calls.txt} has its lines, and libdisni's where they differ.
 */
final class DisniCalls {
    private static final int ALONE = 150;

    private final InetSocketAddress address;
    private final String silent;

    /** Without the calls that end or stop the process with libdisni, and the call that takes the receive of another. */
    private final boolean isLibdisni;

    private final RdmaEventChannel servers = RdmaEventChannel.createEventChannel();
    private final RdmaEventChannel clients = RdmaEventChannel.createEventChannel();

    private DisniCalls(String[] arguments) throws IOException {
        this.address = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        this.silent = arguments[2];
        this.isLibdisni = arguments.length > 3;
    }

    /**
     * Arguments: the address of a device, a port, and an address on the network of the device that nobody has; another argument, whatever
     * it is, says that this is libdisni.
     */
    public static void main(String[] arguments) throws Exception {
        new DisniCalls(arguments).run();
    }

    private void run() throws Exception {
        show("version", RdmaVerbs::getVersion);
        addresses();
        RdmaCmId listener = listening();
        early();
        Peer client = client(listener);
        memory(client);
        Peer server = connected(client, listener);
        new DisniMessages(client, server).run();
        end(client, server, listener);
    }

    private RdmaCmId fresh() throws IOException {
        return servers.createId(RdmaCm.RDMA_PS_TCP);
    }

    private void addresses() throws IOException {
        RdmaCmId wildcard = fresh();
        step("bind wildcard", () -> wildcard.bindAddr(new InetSocketAddress("0.0.0.0", 5050)));
        show("verbs of wildcard", () -> wildcard.getVerbs() != null);
        show("source of wildcard", wildcard::getSource);
        show("source of fresh id", () -> fresh().getSource());
        show("destination of fresh id", () -> fresh().getDestination());
        show("verbs of fresh id", () -> fresh().getVerbs());
        step("bind foreign address", () -> fresh().bindAddr(new InetSocketAddress(silent, 1)));
        step("listen unbound", () -> fresh().listen(1));
        show("event 0 ms", () -> Peer.event(servers, 0));
        waits("event 150 ms", ALONE, () -> Peer.event(servers, ALONE));
        Thread.currentThread().interrupt();
        waits("event 150 ms interrupted", ALONE, () -> Peer.event(servers, ALONE));
        show("still interrupted", Thread::interrupted);
    }

    private RdmaCmId listening() throws IOException {
        RdmaCmId listener = fresh();
        step("bind", () -> listener.bindAddr(address));
        step("bind again", () -> listener.bindAddr(address));
        step("listen 0", () -> listener.listen(0));
        step("second listener of the port", () -> {
            RdmaCmId second = fresh();
            second.bindAddr(address);
            second.listen(1);
        });
        show("context of listener", () -> listener.getVerbs() != null);
        show("source of listener", () -> listener.getSource().equals(address));
        return listener;
    }

    /** Two of these calls end the process with libdisni. */
    private void early() throws IOException {
        RdmaCmId none = clients.createId(RdmaCm.RDMA_PS_TCP);
        if (!isLibdisni) {
            step("connect too early", () -> none.connect(new RdmaConnParam()));
            step("route too early", () -> none.resolveRoute(100));
        }
        show("disconnect too early", none::disconnect);
        step("queue pair destroyed that never was", none::destroyQP);
        step(
                "unroutable",
                () -> clients.createId(RdmaCm.RDMA_PS_TCP)
                        .resolveAddr(null, new InetSocketAddress("192.0.2.1", 1), 1000));
        show("no neighbour", () -> {
            clients.createId(RdmaCm.RDMA_PS_TCP).resolveAddr(null, new InetSocketAddress(silent, 1), 500);
            RdmaCmEvent event = clients.getCmEvent(9000);
            return event.getEvent() + " status " + event.getStatus();
        });
    }

    private Peer client(RdmaCmId listener) throws IOException {
        RdmaCmId id = clients.createId(RdmaCm.RDMA_PS_TCP);
        show("resolve", () -> {
            id.resolveAddr(null, address, 2000);
            RdmaCmEvent event = clients.getCmEvent(5000);
            return event.getEvent() + " of the id " + (event.getConnIdPriv() == id) + " listener "
                    + event.getListenIdPriv() + " status " + event.getStatus();
        });
        show("route", () -> {
            id.resolveRoute(2000);
            return Peer.event(clients, 5000);
        });
        show(
                "one number for one device",
                () -> id.getVerbs().getCmd_fd() == listener.getVerbs().getCmd_fd());
        show("completion vectors", () -> id.getVerbs().getNumCompVectors() > 0);
        Peer client = new Peer(id);
        show("queue on vector 99", () -> id.getVerbs().createCQ(client.channel, 64, 99) != null);
        show("huge queue", () -> id.getVerbs().createCQ(client.channel, 1 << 28, 0) != null);
        show("second queue pair", () -> client.newQp() != null);
        show("state of queue pair", client.qp::getState);
        return client;
    }

    private static void memory(Peer client) {
        IbvPd pd = client.pd;
        ByteBuffer buffer = client.buffer;
        long start = MemoryUtils.getAddress(buffer);
        show(
                "region",
                () -> (client.mr.getAddr() == start) + " " + client.mr.getLength() + " "
                        + (client.mr.getLkey() == client.mr.getRkey()) + " " + client.mr.isOpen());
        show("region by address", () -> {
            IbvMr mr =
                    pd.regMr(start + 4096, 4096, Peer.RIGHTS).execute().free().getMr();
            mr.deregMr().execute().free();
            return (mr.getAddr() - start) + " " + mr.getLength() + " " + mr.isOpen();
        });
        show(
                "region of position and limit",
                () -> range(pd, buffer.duplicate().position(100).limit(200), start));
        show(
                "region of a slice",
                () -> range(pd, buffer.duplicate().position(100).limit(200).slice(), start));
        unusualMemory(client, start);
    }

    private static void unusualMemory(Peer client, long start) {
        IbvPd pd = client.pd;
        ByteBuffer buffer = client.buffer;
        show(
                "region of a heap buffer",
                () -> pd.regMr(ByteBuffer.allocate(10), Peer.RIGHTS).execute());
        step("region of nothing", () -> pd.regMr(start, 0, Peer.RIGHTS).execute());
        step(
                "region that the peer alone writes",
                () -> pd.regMr(buffer, IbvMr.IBV_ACCESS_REMOTE_WRITE).execute());
        step(
                "region of unmapped memory",
                () -> pd.regMr(4096L, 4096, Peer.RIGHTS).execute());
        show("on-demand paging is as the device says", () -> {
            boolean supported = pd.getContext().queryOdpSupport() >= 0;
            return supported == registersOnDemand(pd, buffer);
        });
        step("deregister twice", () -> {
            IbvMr mr = pd.regMr(buffer, Peer.RIGHTS).execute().getMr();
            mr.deregMr().execute();
            mr.deregMr().execute();
        });
        show("prefetch is as the device says", () -> {
            boolean supported = pd.getContext().queryOdpSupport() >= 0;
            int rights = supported ? Peer.RIGHTS | IbvMr.IBV_ACCESS_ON_DEMAND : Peer.RIGHTS;
            IbvMr mr = pd.regMr(buffer, rights).execute().getMr();
            boolean prefetched = mr.expPrefetchMr(start, 4096) == 0;
            mr.deregMr().execute();
            return prefetched == supported;
        });
    }

    private static boolean registersOnDemand(IbvPd pd, ByteBuffer buffer) {
        try {
            pd.regMr(buffer, Peer.RIGHTS | IbvMr.IBV_ACCESS_ON_DEMAND)
                    .execute()
                    .getMr()
                    .deregMr()
                    .execute();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String range(IbvPd pd, ByteBuffer bytes, long start) throws IOException {
        IbvMr mr = pd.regMr(bytes, Peer.RIGHTS).execute().free().getMr();
        mr.deregMr().execute();
        return (mr.getAddr() - start) + " " + mr.getLength();
    }

    private Peer connected(Peer client, RdmaCmId listener) throws Exception {
        if (!isLibdisni) {
            step("send before connect", () -> client.post(client.send(1, 8)));
        }
        step("receive before connect", () -> client.receive(100, client.piece(0, Peer.SLOT)));
        ByteBuffer data = ByteBuffer.allocateDirect(3).put(new byte[] {7, 8, 9});
        RdmaConnParam asked = Peer.parameters();
        asked.setPrivate_data(MemoryUtils.getAddress(data));
        asked.setPrivate_data_len((byte) 3);
        step("connect", () -> client.id.connect(asked));
        RdmaCmEvent request = clientsRequest(listener);
        Peer server = new Peer(request.getConnIdPriv());
        for (int i = 0; i < 12; i++) {
            server.receive(200 + i, server.piece(i * Peer.SLOT, Peer.SLOT));
        }
        step("accept", () -> server.id.accept(Peer.parameters()));
        show("established at client", () -> established(clients.getCmEvent(5000), client));
        show("established at server", () -> established(servers.getCmEvent(5000), server));
        show(
                "addresses",
                () -> client.id.getDestination().equals(server.id.getSource())
                        && client.id.getSource().equals(server.id.getDestination()));
        show("one context for both", () -> server.id.getVerbs() == client.id.getVerbs());
        show("no early completion", () -> client.completions(0));
        return server;
    }

    private RdmaCmEvent clientsRequest(RdmaCmId listener) throws IOException {
        RdmaCmEvent request = servers.getCmEvent(5000);
        show(
                "request",
                () -> request.getEvent() + " of the listener " + (request.getListenIdPriv() == listener)
                        + " for a new id " + (request.getConnIdPriv() != listener));
        show("private data", () -> {
            int length = Byte.toUnsignedInt(request.getConn().getPrivate_data_len());
            return length >= 3;
        });
        return request;
    }

    private static String established(RdmaCmEvent event, Peer peer) {
        return event.getEvent() + " of the id " + (event.getConnIdPriv() == peer.id) + " listener "
                + event.getListenIdPriv() + " status " + event.getStatus();
    }

    private void end(Peer client, Peer server, RdmaCmId listener) {
        show("disconnect", client.id::disconnect);
        show("disconnected at server", () -> Peer.event(servers, 5000));
        show("disconnect at server", server.id::disconnect);
        show("disconnected at client", () -> Peer.event(clients, 5000));
        show("disconnect again", client.id::disconnect);
        show("end of time-wait", () -> Peer.event(clients, 4000));
        show("channel in use destroyed", server.channel::destroyCompChannel);
        show("queue in use destroyed", client.cq::destroyCQ);
        show("queue destroyed again", client.cq::destroyCQ);
        show("domain in use destroyed", client.pd::deallocPd);
        show("queue pair destroyed", client.id::destroyQP);
        show("queue pair destroyed again", client.id::destroyQP);
        step("post on destroyed queue pair", () -> client.post(client.send(1, 1)));
        show("channel destroyed", client.channel::destroyCompChannel);
        show("id destroyed", client.id::destroyId);
        show("id destroyed again", client.id::destroyId);
        show("source of destroyed id", client.id::getSource);
        step("region after its domain", () -> client.mr.deregMr().execute());
        show("end point destroyed", server.id::destroyEp);
        if (!isLibdisni) {
            show("end point destroyed again", server.id::destroyEp);
            show("queue destroyed", server.cq::destroyCQ);
        }
        step("region", () -> server.mr.deregMr().execute());
        show("domain destroyed", server.pd::deallocPd);
        show("listener destroyed", listener::destroyId);
        show("event channel destroyed", clients::destroyEventChannel);
        show("event channel destroyed again", clients::destroyEventChannel);
        show("id of destroyed channel", () -> clients.createId(RdmaCm.RDMA_PS_TCP));
        show("event of destroyed channel", () -> clients.getCmEvent(0));
        System.exit(0); // DiSNI keeps no thread here, but a native library might
    }
}
