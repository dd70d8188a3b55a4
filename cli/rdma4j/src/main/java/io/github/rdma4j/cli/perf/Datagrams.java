// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;

/**
 * Exchanges the addresses of datagram queue pairs as perftest does: the client gets the server's address from the
 * connection manager. If the server is to answer, the client sends a first datagram with its queue pair number.
 */
final class Datagrams {
    /** The size of the first datagram, which is the size of its queue pair number. Its content is not read. */
    private static final int FIRST_BYTES = Integer.BYTES;

    private static final long RETRY_MILLIS = 20;
    private static final Set<CmEventType> NOT_YET = Set.of(CmEventType.REJECTED, CmEventType.UNREACHABLE);

    private final TestBed bed;
    private final PerfOptions options;
    private final Duration step;

    Datagrams(TestBed bed) {
        this.bed = bed;
        options = bed.options;
        step = options.step();
    }

    private boolean answers() {
        return options.program().isLatency() || options.bidirectional;
    }

    // ---- client

    /** Creates all queue pairs of a client. */
    void connect() throws RdmaException, InterruptedException {
        for (int i = 0; i < options.queuePairs; i++) {
            connectOne();
        }
    }

    /**
     * Connects a queue pair. A server of perftest listens only after it has answered, so it may reject the first
     * attempts.
     */
    private void connectOne() throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            BlockingCmId id = BlockingCmId.create(PortSpace.UDP);
            boolean connected = false;
            try {
                CmEvent event = connect(id);
                connected = true;
                bed.own(id);
                enter(id.id(), event.datagramPeer().orElseThrow());
                return;
            } catch (CmEventException e) {
                if (!NOT_YET.contains(e.type()) || System.nanoTime() - start > step.toNanos()) {
                    throw e;
                }
            } finally {
                if (!connected) {
                    id.close();
                }
            }
            Thread.sleep(RETRY_MILLIS);
        }
    }

    private CmEvent connect(BlockingCmId id) throws RdmaException, InterruptedException {
        InetSocketAddress server = options.requireServer();
        if (options.local.getAddress().isAnyLocalAddress()) {
            id.resolveAddress(server, step);
        } else {
            id.resolveAddress(options.local, server, step);
        }
        id.resolveRoute(step);
        id.id().createQp(bed.queuePair());
        return id.connect(ConnectionParameters.DEFAULT, step);
    }

    private void enter(CmId id, DatagramPeer peer) throws RdmaException, InterruptedException {
        TestLink link = bed.add(id, id.qp().orElseThrow());
        AddressHandle ah = bed.own(id.pd().createAh(peer.ahAttr()));
        link.aim(ah, peer.qpn(), peer.qkey());
        if (answers()) {
            SendWorkRequest first = new SendWorkRequest(1)
                    .sendWithImmediate(link.qp.qpn())
                    .add(bed.region, bed.sendOffset(link.index), FIRST_BYTES);
            link.qp.postSend(link.address(first).signaled());
            bed.sends.awaitOne();
        }
    }

    // ---- server

    /** Listens at {@code address}; the bed closes the listener. */
    BlockingCmId listen(InetSocketAddress address) throws RdmaException {
        BlockingCmId listener = bed.own(BlockingCmId.create(PortSpace.UDP));
        listener.bind(address);
        listener.listen(options.queuePairs);
        return listener;
    }

    /** Creates all queue pairs of a server. */
    void accept(BlockingCmId listener) throws RdmaException, InterruptedException {
        for (int i = 0; i < options.queuePairs; i++) {
            BlockingCmId id = bed.own(request(listener));
            TestLink link = bed.add(id.id(), id.id().createQp(bed.queuePair()));
            if (answers()) {
                link.postReceive(FIRST_BYTES, 0);
            }
            id.accept(ConnectionParameters.DEFAULT, step);
            if (answers()) {
                aimAtSender(link);
            }
        }
    }

    private BlockingCmId request(BlockingCmId listener) throws RdmaException, InterruptedException {
        try {
            return listener.getRequest(step);
        } catch (CmTimeoutException e) {
            throw PeerFailure.silent(PeerFailure.BEFORE_TEST, step);
        }
    }

    private void aimAtSender(TestLink link) throws RdmaException, InterruptedException {
        WorkCompletion first = bed.receives.awaitOne();
        if (!first.hasImmediate()) {
            throw PeerFailure.foreign("its first datagram has no queue pair number");
        }
        CmId id = link.id;
        AddressHandle ah =
                bed.own(id.pd().createAhFromWc(first, bed.memory, bed.receiveOffset(link.index), id.portNumber()));
        link.aim(ah, first.immediate(), link.qp.query().qkey());
    }
}
