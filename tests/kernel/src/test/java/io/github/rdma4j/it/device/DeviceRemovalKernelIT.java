// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Igmp;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A device that goes while it is in use: {@code rdma link delete} of a soft-RoCE device made for the test. The kernel tells
 * the CM ids at once and then waits for whoever has the queues device open.
 */
@RequiresKernel
class DeviceRemovalKernelIT {
    private static final String NETDEV = RemovableLink.NETDEV;
    private static final String ADDRESS = RemovableLink.ADDRESS;

    /** Longer than any test waits for the end of a wait. */
    private static final Duration PATIENCE = Await.LIMIT.multipliedBy(3);

    private RemovableLink link;
    private EventChannel events;

    @BeforeEach
    void makeDevice() throws Exception {
        link = RemovableLink.make();
        events = EventChannel.open();
    }

    @AfterEach
    void removeDevice() throws Exception {
        events.close();
        link.close();
    }

    private CmId bound(PortSpace portSpace) throws RdmaException {
        CmId id = events.createId(portSpace);
        id.bind(new InetSocketAddress(ADDRESS, 0));
        return id;
    }

    private List<CmId> tellsRemoval(int ids) throws RdmaException, InterruptedException {
        List<CmId> told = new ArrayList<>();
        while (told.size() < ids) {
            told.add(Events.expect(events, CmEventType.DEVICE_REMOVAL).id());
        }
        return told;
    }

    @Test
    void tellsEveryIdOnTheDevice() throws Exception {
        CmId bound = bound(PortSpace.TCP);
        CmId listening = bound(PortSpace.TCP);
        listening.listen(4);
        CmId routed = Loopback.routed(events, listening.localAddress().orElseThrow());
        CmId datagram = bound(PortSpace.UDP);
        datagram.createQp(QueuePairOptions.DEFAULT);
        datagram.multicast().join(new InetSocketAddress("239.9.9.9", 0));
        Events.expect(events, CmEventType.MULTICAST_JOIN);
        try (Program deletion = link.delete()) {
            List<CmId> ids = List.of(bound, listening, routed, datagram);
            assertThat(tellsRemoval(ids.size())).containsExactlyInAnyOrderElementsOf(ids);
            for (CmId id : ids) {
                assertThat(id.state()).isEqualTo(CmState.DEVICE_REMOVED);
                assertThatThrownBy(() -> id.connect(ConnectionParameters.DEFAULT))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("DEVICE_REMOVED");
                id.close();
            }
            deletion.success();
        }
        assertThat(link.isThere()).isFalse();
    }

    /** The kernel takes the host out of the groups when the id is closed, and cannot be asked to before. */
    @Test
    void takesMembershipsAlong() throws Exception {
        InetSocketAddress group = new InetSocketAddress("239.9.9.10", 0);
        CmId id = bound(PortSpace.UDP);
        id.createQp(QueuePairOptions.DEFAULT);
        GroupMembership membership = id.multicast().join(group);
        Events.expect(events, CmEventType.MULTICAST_JOIN);
        CmId left = bound(PortSpace.UDP);
        GroupMembership open = left.multicast().join(group);
        Events.expect(events, CmEventType.MULTICAST_JOIN);
        assertThat(Igmp.users(NETDEV, "239.9.9.10")).isEqualTo(2);
        try (Program deletion = link.delete()) {
            tellsRemoval(2);
            membership.close();
            assertThat(id.multicast().memberships()).isEmpty();
            assertThatThrownBy(() -> id.multicast().join(group)).isInstanceOf(IllegalStateException.class);
            id.close();
            left.close();
            open.close();
            deletion.success();
        }
        assertThat(Igmp.users(NETDEV, "239.9.9.10")).isZero();
        assertThat(events.pollEvent()).isEmpty();
    }

    @Test
    void leavesAConnectionCloseableAndThenTheLinkIsGone() throws Exception {
        Loopback loopback = Loopback.setup().address(ADDRESS).connect();
        loopback.server().receive(1, 64);
        try (Program deletion = link.delete()) {
            loopback.client().expectEvent(CmEventType.DEVICE_REMOVAL);
            boolean told = false;
            while (!told) {
                try (CmEvent event =
                        loopback.server().events().awaitEvent(Await.LIMIT).orElseThrow()) {
                    told = event.type() == CmEventType.DEVICE_REMOVAL
                            && event.id() == loopback.server().id();
                }
            }
            // The rings are still there: polling and posting harm nobody.
            WorkCompletion[] one = WorkCompletion.array(1);
            loopback.client().cq().poll(one);
            loopback.client().send(2, 8);
            assertThat(loopback.client().id().qp().orElseThrow().isClosed()).isFalse();
            loopback.close();
            deletion.success();
        }
        assertThat(link.isThere()).isFalse();
    }

    @Test
    void aNewDeviceWithTheSameNameWorks() throws Exception {
        CmId before = bound(PortSpace.TCP);
        try (Program deletion = link.delete()) {
            tellsRemoval(1);
            before.close();
            deletion.success();
        }
        link.add();
        try (Loopback loopback = Loopback.setup().address(ADDRESS).connect()) {
            loopback.server().receive(7, 64);
            loopback.client().send(8, 64);
            assertThat(loopback.server().success().wrId()).isEqualTo(7);
        }
    }

    @Test
    void endsTheWaitOfABlockingId() throws Exception {
        try (BlockingCmId listener = BlockingCmId.create(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(ADDRESS, 0));
            listener.listen(1);
            Await.Running<BlockingCmId> waiting = Await.inThread(() -> listener.getRequest(Await.LIMIT));
            waiting.untilInside("poll");
            try (Program deletion = link.delete()) {
                assertThat(waiting.failure())
                        .isInstanceOf(CmEventException.class)
                        .hasMessageContaining("DEVICE_REMOVAL");
                listener.id().close();
                deletion.success();
            }
        }
    }

    /** Nobody retrieves the events of such an id while its completions are waited for, but for the one who waits. */
    @Test
    void endsTheWaitForACompletionOfABlockingId() throws Exception {
        try (BlockingCmId listener = BlockingCmId.create(PortSpace.TCP);
                BlockingCmId client = BlockingCmId.create(PortSpace.TCP)) {
            listener.bind(new InetSocketAddress(ADDRESS, 0));
            listener.listen(1);
            Await.Running<BlockingCmId> accepting = Await.inThread(() -> {
                BlockingCmId taken = listener.getRequest(Await.LIMIT);
                taken.id().createQp(QueuePairOptions.DEFAULT);
                taken.accept(ConnectionParameters.DEFAULT, Await.LIMIT);
                return taken;
            });
            client.resolveAddress(listener.id().localAddress().orElseThrow(), Await.LIMIT);
            client.resolveRoute(Await.LIMIT);
            client.id().createQp(QueuePairOptions.DEFAULT);
            client.connect(ConnectionParameters.DEFAULT, Await.LIMIT);
            BlockingCmId server = accepting.result();
            List<Await.Running<?>> waiting = List.of(
                    Await.inThread(() -> server.queues().awaitReceiveCompletion(PATIENCE)),
                    Await.inThread(() -> client.queues().awaitSendCompletion(PATIENCE)),
                    Await.inThread(() -> client.queues().awaitReceiveCompletion(PATIENCE)));
            waiting.forEach(one -> one.untilInside("sleep"));
            try (Program deletion = link.delete()) {
                for (Await.Running<?> one : waiting) {
                    assertThat(one.failure())
                            .isInstanceOf(ErrnoException.class)
                            .hasMessageContaining("ENODEV")
                            .hasMessageContaining("being removed");
                }
                assertThat(client.lastEvent().orElseThrow().type()).isEqualTo(CmEventType.DEVICE_REMOVAL);
                for (AutoCloseable user : List.of(server, client, listener)) {
                    user.close();
                }
                deletion.success();
            }
        }
        assertThat(link.isThere()).isFalse();
    }

    /** The kernel tells the completion channel nothing: the event channel of an id is waited for as well. */
    @Test
    void endsTheWaitForACompletionOrAnEvent() throws Exception {
        CmId id = events.createId(PortSpace.TCP);
        id.bind(new InetSocketAddress(ADDRESS, 0));
        try (CompletionChannel channel = id.context().createCompletionChannel();
                CompletionQueue cq = id.context().createCq(1, 0, channel)) {
            Await.Running<Integer> waiting = Await.inThread(
                            () -> cq.await(WorkCompletion.array(1), Deadline.after(PATIENCE), events))
                    .untilInside("sleep");
            try (Program deletion = link.delete()) {
                assertThat(waiting.result()).isZero();
                Events.expect(events, CmEventType.DEVICE_REMOVAL);
                for (AutoCloseable user : List.of(cq, channel, id)) {
                    user.close();
                }
                deletion.success();
            }
        }
        assertThat(link.isThere()).isFalse();
    }

    @Test
    void endsTheWaitForACompletionOfAConnectionOnALoop() throws Exception {
        try (CmEventLoop loop = CmEventLoop.open();
                CmListener listener = loop.listen(new InetSocketAddress(ADDRESS, 0))) {
            CompletableFuture<CmConnection> accepted = listener.nextRequest().thenCompose(CmRequest::accept);
            CmConnection client = loop.await(loop.connect(listener.address()), Await.LIMIT);
            CmConnection server = loop.await(accepted, Await.LIMIT);
            Await.Running<?> waiting = Await.inThread(() -> server.queues().awaitReceiveCompletion(PATIENCE));
            waiting.untilInside("sleep");
            try (Program deletion = link.delete()) {
                assertThat(waiting.failure()).isInstanceOf(ErrnoException.class).hasMessageContaining("ENODEV");
                for (AutoCloseable user : List.of(server, client, listener)) {
                    user.close();
                }
                deletion.success();
            }
        }
        assertThat(link.isThere()).isFalse();
    }

    @Test
    void aWildcardListenerGetsNoEventAndServesTheNewDevice() throws Exception {
        CmId listener = events.createId(PortSpace.TCP);
        listener.bind(new InetSocketAddress("0.0.0.0", Rxe.newPort()));
        listener.listen(4);
        link.delete().success();
        link.add();
        assertThat(listener.state()).isEqualTo(CmState.LISTENING);
        try (EventChannel clients = EventChannel.open()) {
            int port = listener.localAddress().orElseThrow().getPort();
            CmId client = Loopback.routed(clients, new InetSocketAddress(ADDRESS, port));
            client.createQp(QueuePairOptions.DEFAULT);
            client.connect(ConnectionParameters.DEFAULT);
            assertThat(Events.expect(events, CmEventType.CONNECT_REQUEST).listener())
                    .containsSame(listener);
        }
    }
}
