// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ids that migrate while several threads retrieve their events, and others close them. */
@RequiresKernel
class CmMigrateStressKernelIT {
    private static final int IDS = 400;
    private static final int CLOSED_EARLY = 7;
    private static final List<CmEventType> LIFE = List.of(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED);

    private final List<EventChannel> channels = new ArrayList<>();
    private final Map<CmId, List<CmEventType>> seen = new ConcurrentHashMap<>();
    private final AtomicBoolean over = new AtomicBoolean();

    @BeforeEach
    void open() throws RdmaException {
        for (int i = 0; i < 3; i++) {
            channels.add(EventChannel.open());
        }
    }

    @AfterEach
    void close() throws RdmaException {
        for (EventChannel channel : channels) {
            channel.close();
        }
    }

    /** Takes events and goes on with their ids, until the channel is closed. */
    private boolean retrieve(EventChannel channel) throws RdmaException, InterruptedException {
        try {
            while (true) {
                CmEvent event = channel.awaitEvent();
                seenOf(event.id()).add(event.type());
                event.ack();
                if (event.type() == CmEventType.ADDR_RESOLVED) {
                    proceed(event.id());
                }
            }
        } catch (ClosedWhileWaitingException | IllegalStateException closed) {
            return channel.isClosed();
        }
    }

    private static void proceed(CmId id) throws RdmaException {
        try {
            id.resolveRoute(Loopback.RESOLVE);
        } catch (IllegalStateException closedMeanwhile) {
            assertThat(closedMeanwhile).hasMessageContaining("is closed");
        }
    }

    /** Moves every id round the channels for as long as the test lasts. */
    private int migrate(List<CmId> ids, int step) throws RdmaException, InterruptedException {
        int moves = 0;
        for (int i = 0; !over.get(); i++) {
            CmId id = ids.get(i % ids.size());
            EventChannel to = channels.get((channels.indexOf(id.channel()) + step) % channels.size());
            try {
                id.migrate(to, Await.LIMIT);
                moves++;
            } catch (IllegalStateException closedMeanwhile) {
                assertThat(closedMeanwhile).hasMessageContaining("is closed");
            }
        }
        return moves;
    }

    private List<CmEventType> seenOf(CmId id) {
        return Objects.requireNonNull(seen.get(id));
    }

    private boolean isComplete(CmId id) {
        return seenOf(id).size() == LIFE.size();
    }

    @Test
    void losesNoEventAndDeliversNoneTwice() throws Exception {
        List<CmId> kept = new ArrayList<>();
        List<CmId> closed = new ArrayList<>();
        List<CmId> all = new ArrayList<>();
        for (int i = 0; i < IDS; i++) {
            CmId id = channels.get(i % channels.size()).createId(PortSpace.TCP);
            seen.put(id, new CopyOnWriteArrayList<>());
            all.add(id);
            (i % CLOSED_EARLY == 0 ? closed : kept).add(id);
        }
        List<Await.Running<Boolean>> retrievers = new ArrayList<>();
        for (EventChannel channel : channels) {
            retrievers.add(Await.inThread(() -> retrieve(channel)));
            retrievers.add(Await.inThread(() -> retrieve(channel)));
        }
        List<Await.Running<Integer>> movers =
                List.of(Await.inThread(() -> migrate(all, 1)), Await.inThread(() -> migrate(all, 2)));
        for (CmId id : all) {
            id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 7174), Loopback.RESOLVE);
        }
        for (CmId id : closed) {
            id.close();
        }
        Await.until(
                "all events, or a retriever's end",
                () -> kept.stream().allMatch(this::isComplete)
                        || retrievers.stream().anyMatch(Await.Running::isDone));
        assertThat(retrievers).noneMatch(Await.Running::isDone);
        over.set(true);
        for (Await.Running<Integer> mover : movers) {
            assertThat(mover.result()).isPositive();
        }
        assertThat(kept).allSatisfy(id -> {
            assertThat(seenOf(id)).isEqualTo(LIFE);
            assertThat(id.unacknowledgedEvents()).isZero();
        });
        assertThat(closed)
                .allSatisfy(id -> assertThat(LIFE.subList(0, seenOf(id).size())).isEqualTo(seenOf(id)));
        close();
        for (Await.Running<Boolean> retriever : retrievers) {
            assertThat(retriever.result()).isTrue();
        }
    }

    /** A client whose request nobody answers would hear so after a minute and a half only. */
    @Test
    void answersEveryRequestOfAListenerThatIsClosedMeanwhile() throws Exception {
        int clientsPerRound = 8;
        EventChannel servers = channels.get(0);
        ConcurrentLinkedQueue<CmId> children = new ConcurrentLinkedQueue<>();
        List<Await.Running<Boolean>> retrievers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            retrievers.add(Await.inThread(() -> take(servers, children)));
        }
        try (EventChannel clients = EventChannel.open()) {
            for (int round = 0; round < 15; round++) {
                CmId listener = Loopback.listen(servers, Rxe.IPV4);
                List<CmId> asking = new ArrayList<>();
                for (int i = 0; i < clientsPerRound; i++) {
                    asking.add(Loopback.routed(clients, listener.localAddress().orElseThrow()));
                }
                for (CmId client : asking) {
                    client.connect(CmSides.withoutQp());
                }
                listener.migrate(channels.get(round % 2), Await.LIMIT);
                listener.close();
                for (int i = 0; i < clientsPerRound; i++) {
                    closeAll(children);
                    awaitRejection(clients, children);
                }
                for (CmId client : asking) {
                    client.close();
                }
            }
        }
        close();
        for (Await.Running<Boolean> retriever : retrievers) {
            assertThat(retriever.result()).isTrue();
        }
    }

    private static boolean take(EventChannel channel, ConcurrentLinkedQueue<CmId> children)
            throws RdmaException, InterruptedException {
        try {
            while (true) {
                CmEvent event = channel.awaitEvent();
                event.ack();
                if (event.type() == CmEventType.CONNECT_REQUEST) {
                    children.add(event.id());
                }
            }
        } catch (ClosedWhileWaitingException | IllegalStateException closed) {
            return channel.isClosed();
        }
    }

    private static void closeAll(ConcurrentLinkedQueue<CmId> children) throws RdmaException {
        for (CmId child = children.poll(); child != null; child = children.poll()) {
            child.close();
        }
    }

    private static void awaitRejection(EventChannel clients, ConcurrentLinkedQueue<CmId> children)
            throws RdmaException, InterruptedException {
        for (int i = 0; i < 200; i++) {
            closeAll(children);
            CmEvent event = clients.awaitEvent(Duration.ofMillis(100)).orElse(null);
            if (event != null) {
                event.ack();
                assertThat(event.type()).isEqualTo(CmEventType.REJECTED);
                return;
            }
        }
        throw new AssertionError("a request is not answered");
    }
}
