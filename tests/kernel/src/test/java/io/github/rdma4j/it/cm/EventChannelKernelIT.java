// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting for connection events: with and without limit, on several channels, ended by close and by interrupt. */
@RequiresKernel
class EventChannelKernelIT {
    private static final String IN_POLL = "poll";

    private EventChannel channel;

    @BeforeEach
    void open() throws RdmaException {
        channel = EventChannel.open();
    }

    @AfterEach
    void close() throws RdmaException {
        channel.close();
    }

    private CmId resolving() throws RdmaException {
        CmId id = channel.createId(PortSpace.TCP);
        id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 7174), Loopback.RESOLVE);
        return id;
    }

    @Test
    void answersAtOnceThatThereIsNoEvent() throws Exception {
        assertThat(channel.pollEvent()).isEmpty();
        assertThat(channel.awaitEvent(Duration.ZERO)).isEmpty();
        assertThat(channel.awaitEvent(Duration.ofSeconds(-1))).isEmpty();
    }

    @Test
    void waitsAsLongAsAskedAndNoLonger() throws Exception {
        long start = System.nanoTime();
        assertThat(channel.awaitEvent(Duration.ofMillis(200))).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(200), Duration.ofSeconds(10));
    }

    @Test
    void wakesAWaiterForAnEvent() throws Exception {
        Await.Running<CmEvent> waiter = Await.inThread(channel::awaitEvent).untilInside(IN_POLL);
        CmId id = resolving();
        CmEvent event = waiter.result();
        assertThat(event.id()).isSameAs(id);
        event.ack();
    }

    @Test
    void wakesAllWaitersWhenItIsClosed() throws Exception {
        List<Await.Running<CmEvent>> waiters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiters.add(Await.inThread(channel::awaitEvent).untilInside(IN_POLL));
        }
        channel.close();
        for (Await.Running<CmEvent> waiter : waiters) {
            assertThat(waiter.failure()).isInstanceOf(ClosedWhileWaitingException.class);
        }
    }

    @Test
    void doesNotStartToWaitInAnInterruptedThread() throws Exception {
        Await.Running<CmEvent> waiter = Await.inThread(() -> {
            Thread.currentThread().interrupt();
            return channel.awaitEvent();
        });
        assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void losesNoEventToAnInterrupt() throws Exception {
        Await.Running<CmEvent> waiter = Await.inThread(channel::awaitEvent).untilInside(IN_POLL);
        waiter.thread().interrupt();
        assertThat(waiter.failure()).isInstanceOf(InterruptedException.class);
        CmId id = resolving();
        assertThat(Events.expect(channel, CmEventType.ADDR_RESOLVED).id()).isSameAs(id);
    }

    @Test
    void deliversInTheOrderInWhichThingsHappened() throws Exception {
        List<CmId> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            CmId id = resolving();
            ids.add(id);
            assertThat(Events.expect(channel, CmEventType.ADDR_RESOLVED).id()).isSameAs(id);
        }
        for (CmId id : ids) {
            id.resolveRoute(Loopback.RESOLVE);
        }
        for (CmId id : ids) {
            assertThat(Events.expect(channel, CmEventType.ROUTE_RESOLVED).id()).isSameAs(id);
        }
    }

    @Test
    void isWaitedForTogetherWithOthers() throws Exception {
        try (EventChannel quiet = EventChannel.open()) {
            assertThat(ReadinessSet.awaitAny(Duration.ZERO, quiet, channel)).isEmpty();
            resolving();
            assertThat(ReadinessSet.awaitAny(Await.LIMIT, quiet, channel)).containsExactly(channel);
            // Polling takes no event away.
            assertThat(ReadinessSet.awaitAny(Duration.ZERO, quiet, channel)).containsExactly(channel);
            Events.expect(channel, CmEventType.ADDR_RESOLVED);
            assertThat(ReadinessSet.awaitAny(Duration.ZERO, quiet, channel)).isEmpty();
        }
    }

    @Test
    void endsAWaitForSeveralWhenOneIsClosed() throws Exception {
        try (EventChannel other = EventChannel.open()) {
            Await.Running<?> waiter =
                    Await.inThread(() -> ReadinessSet.awaitAny(other, channel)).untilInside(IN_POLL);
            channel.close();
            assertThat(waiter.failure()).isInstanceOf(ClosedWhileWaitingException.class);
        }
    }
}
