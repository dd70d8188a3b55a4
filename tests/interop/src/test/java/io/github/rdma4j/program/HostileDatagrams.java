// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;

/** A peer that sends datagrams with random contents, to a server or to a group. Closing it is its death. */
final class HostileDatagrams implements AutoCloseable {
    private static final int MTU = 1024;
    private static final int MANY = 60;
    private static final int[] PRIVATE_LENGTHS = {0, 1, ConnectionParameters.MAX_DATAGRAM_REQUEST_PRIVATE_DATA};

    /** What it does. */
    enum Deed {
        /** Asks, or joins, and waits for no answer. */
        ASKS,
        /** Waits for the answer and says nothing. */
        IS_SILENT,
        /** One datagram of a random length. */
        SENDS_ONE,
        /** Datagrams of no bytes. */
        SENDS_NOTHING,
        /** Datagrams of the largest packet there is. */
        SENDS_THE_LARGEST,
        /** More datagrams than receives are posted. */
        SENDS_TOO_MUCH,
        /** As many bytes as are waited for, and other ones. */
        SENDS_WHAT_FITS,
        /** Datagrams whose key nobody takes. */
        HAS_THE_WRONG_KEY
    }

    private final Deed deed;
    private final Random random;
    private final EventChannel channel = EventChannel.open();
    private final CmId id = channel.createId(PortSpace.UDP);
    private final ByteBuffer memory = ByteBuffer.allocateDirect(MTU);
    private final List<Integer> lengths = new ArrayList<>();
    private CmQueues queues;
    private MemoryRegion region;

    @SuppressWarnings("NullAway.Init") // made as soon as the id has a device
    private HostileDatagrams(Deed deed, Random random) throws RdmaException {
        this.deed = deed;
        this.random = random;
        for (int i = 0; i < MTU; i++) {
            memory.put(i, (byte) random.nextInt());
        }
    }

    /** Does it to a server, which may refuse to answer. */
    static HostileDatagrams act(Deed deed, InetSocketAddress server, Random random)
            throws RdmaException, InterruptedException {
        HostileDatagrams peer = new HostileDatagrams(deed, random);
        peer.id.resolveAddress(server, Loopback.RESOLVE);
        Events.expect(peer.channel, CmEventType.ADDR_RESOLVED);
        peer.id.resolveRoute(Loopback.RESOLVE);
        Events.expect(peer.channel, CmEventType.ROUTE_RESOLVED);
        peer.makeQueues();
        byte[] words = new byte[PRIVATE_LENGTHS[random.nextInt(PRIVATE_LENGTHS.length)]];
        random.nextBytes(words);
        peer.id.connect(ConnectionParameters.builder().privateData(words).build());
        if (deed != Deed.ASKS) {
            try (CmEvent answer = peer.channel.awaitEvent(Await.LIMIT).orElseThrow()) {
                if (answer.type() == CmEventType.ESTABLISHED) {
                    peer.send(answer.datagramPeer().orElseThrow());
                }
            }
        }
        return peer;
    }

    /** Does it to a group. */
    static HostileDatagrams act(Deed deed, String group, Random random) throws RdmaException, InterruptedException {
        HostileDatagrams peer = new HostileDatagrams(deed, random);
        peer.id.bind(new InetSocketAddress(Rxe.IPV4, 0));
        peer.makeQueues();
        GroupMembership membership =
                peer.id.multicast().join(new InetSocketAddress(group, 0), GroupMembership.Mode.SEND_ONLY_FULL_MEMBER);
        if (deed != Deed.ASKS) {
            Events.expect(peer.channel, CmEventType.MULTICAST_JOIN);
            peer.send(membership.peer().orElseThrow());
        }
        return peer;
    }

    private void makeQueues() throws RdmaException {
        queues = id.queues()
                .createOwn(QueuePairOptions.builder()
                        .maxSendWr(MANY)
                        .maxReceiveWr(1)
                        .build());
        region = queues.pd().registerMr(memory, EnumSet.noneOf(Access.class));
    }

    private void send(DatagramPeer to) throws RdmaException {
        try (AddressHandle handle = queues.pd().createAh(to.ahAttr())) {
            int key = deed == Deed.HAS_THE_WRONG_KEY ? ~to.qkey() & Integer.MAX_VALUE : to.qkey();
            int times = times();
            for (int i = 0; i < times; i++) {
                int length = length();
                lengths.add(length);
                SendWorkRequest request = random.nextBoolean()
                        ? new SendWorkRequest(1).send()
                        : new SendWorkRequest(1).sendWithImmediate(random.nextInt());
                queues.qp()
                        .postSend(request.to(handle, to.qpn(), key)
                                .add(region, 0, length)
                                .signaled());
            }
            awaitSent(times);
        }
    }

    /** Soft-RoCE sends from a work queue: what was not sent before the queue pair goes is never sent. */
    private void awaitSent(int times) {
        WorkCompletion[] one = WorkCompletion.array(1);
        for (int i = 0; i < times; i++) {
            Await.until(deed + " was sent", () -> queues.cq().poll(one) == 1);
        }
    }

    private int times() {
        return switch (deed) {
            case ASKS, IS_SILENT -> 0;
            case SENDS_ONE -> 1;
            case SENDS_TOO_MUCH -> MANY;
            default -> 1 + random.nextInt(12);
        };
    }

    private int length() {
        return switch (deed) {
            case SENDS_NOTHING -> 0;
            case SENDS_THE_LARGEST -> MTU;
            case SENDS_WHAT_FITS -> 100;
            default -> random.nextInt(MTU + 1);
        };
    }

    boolean hasSentMoreThan(int bytes) {
        return lengths.stream().anyMatch(length -> length > bytes);
    }

    @Override
    public String toString() {
        return deed + " with datagrams of " + lengths + " bytes";
    }

    @Override
    public void close() throws RdmaException {
        id.close();
        queues.close();
        channel.close();
    }
}
