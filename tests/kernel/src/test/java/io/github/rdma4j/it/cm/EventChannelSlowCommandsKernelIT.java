// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.Waiter;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.OpenResources;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A command that takes the kernel long holds up the id that it is about, and nobody else. */
@RequiresKernel
class EventChannelSlowCommandsKernelIT {
    private static final Duration SHORT = Duration.ofMillis(100);

    private final TamperedKernel kernel = new TamperedKernel();

    private EventChannel channel;
    private EventChannel other;
    private CmId slow;
    private CmId quick;

    @BeforeEach
    void open() throws RdmaException {
        channel = EventChannel.open(kernel.kernel());
        other = EventChannel.open(kernel.kernel());
        slow = channel.createId(PortSpace.TCP);
        quick = channel.createId(PortSpace.TCP);
    }

    @AfterEach
    void close() throws RdmaException {
        channel.close();
        other.close();
    }

    /** Something that a test does while a command of the slow id is under way and an event of it waits. */
    @FunctionalInterface
    private interface Meanwhile {
        void run(TamperedKernel.Hold hold) throws Exception;
    }

    private void whileTheSlowIdIsBusy(Meanwhile meanwhile) throws Exception {
        resolve(slow);
        assertThat(KernelFd.of(channel).awaitReadable(Deadline.after(Await.LIMIT)))
                .isTrue();
        Await.Running<?> command;
        try (TamperedKernel.Hold hold = kernel.hold(CmCommands.RDMA_USER_CM_CMD_SET_OPTION)) {
            command = Await.inThread(() -> {
                slow.settings().typeOfService(8);
                return "set";
            });
            hold.awaitReached();
            meanwhile.run(hold);
        }
        command.result();
    }

    private static void resolve(CmId id) throws RdmaException {
        id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 7174), Loopback.RESOLVE);
    }

    private static CmId idOf(CmEvent event, CmEventType type) {
        event.ack();
        assertThat(event.type()).isEqualTo(type);
        return event.id();
    }

    private CmId nextResolved(EventChannel from) throws RdmaException, InterruptedException {
        return idOf(Events.expect(from, CmEventType.ADDR_RESOLVED), CmEventType.ADDR_RESOLVED);
    }

    @Test
    void waitingKeepsItsLimit() throws Exception {
        whileTheSlowIdIsBusy(hold -> {
            assertThat(channel.awaitEvent(SHORT)).isEmpty();
            assertThat(channel.awaitEvent(Duration.ZERO)).isEmpty();
            assertThat(channel.pollEvent()).isEmpty();
            assertThat(ReadinessSet.awaitAny(Duration.ZERO, channel)).isEmpty();
        });
        assertThat(nextResolved(channel)).isSameAs(slow);
    }

    @Test
    void aWaitingThreadGetsTheEventWhenTheCommandEnds() throws Exception {
        whileTheSlowIdIsBusy(hold -> {
            Await.Running<CmEvent> waiting = Await.inThread(channel::awaitEvent).untilInside("poll");
            hold.close();
            assertThat(idOf(waiting.result(), CmEventType.ADDR_RESOLVED)).isSameAs(slow);
        });
    }

    @Test
    void aThreadThatWaitsForReadinessIsWokenWhenTheCommandEnds() throws Exception {
        try (Waiter waiter = Waiter.open(kernel.kernel())) {
            whileTheSlowIdIsBusy(hold -> {
                assertThat(channel.pollEvent()).isEmpty();
                Await.Running<List<Pollable>> waiting =
                        Await.inThread(() -> waiter.await(other, channel)).untilInside("poll");
                hold.close();
                assertThat(waiting.result()).containsExactly(channel);
            });
            assertThat(ReadinessSet.awaitAny(channel)).containsExactly(channel);
        }
        assertThat(nextResolved(channel)).isSameAs(slow);
        assertThat(ReadinessSet.awaitAny(Duration.ZERO, channel)).isEmpty();
    }

    @Test
    void anotherIdMigrates() throws Exception {
        whileTheSlowIdIsBusy(hold -> {
            assertThat(channel.pollEvent()).isEmpty();
            Await.Running<?> blocked = Await.inThread(() -> {
                slow.migrate(other, Await.LIMIT);
                return "migrated";
            });
            quick.migrate(other, Await.LIMIT);
            assertThat(quick.channel()).isSameAs(other);
            hold.close();
            blocked.result();
        });
    }

    @Test
    void anEventThatWasReadAndDidNotTakeEffectMigratesWithItsId() throws Exception {
        whileTheSlowIdIsBusy(hold -> assertThat(channel.pollEvent()).isEmpty());
        Await.Running<CmEvent> waiting = Await.inThread(other::awaitEvent).untilInside("poll");
        slow.migrate(other, Await.LIMIT);
        assertThat(idOf(waiting.result(), CmEventType.ADDR_RESOLVED)).isSameAs(slow);
        assertThat(channel.pollEvent()).isEmpty();
        slow.resolveRoute(Loopback.RESOLVE);
        assertThat(idOf(Events.expect(other, CmEventType.ROUTE_RESOLVED), CmEventType.ROUTE_RESOLVED))
                .isSameAs(slow);
    }

    @Test
    void aSlowDestroyInTheKernelDelaysNoOtherId() throws Exception {
        Await.Running<?> closing;
        try (TamperedKernel.Hold hold = kernel.hold(CmCommands.RDMA_USER_CM_CMD_DESTROY_ID)) {
            closing = Await.inThread(() -> {
                slow.close();
                return "closed";
            });
            hold.awaitReached();
            assertThat(slow.state()).isEqualTo(CmState.DESTROYED);
            slow.close();
            assertThatThrownBy(() -> slow.listen(1)).isInstanceOf(IllegalStateException.class);
            resolve(quick);
            assertThat(nextResolved(channel)).isSameAs(quick);
            quick.migrate(other, Await.LIMIT);
        }
        closing.result();
    }

    /** The request comes while the listener is being destroyed: nobody's, and its destruction takes long as well. */
    @Test
    void aRequestForAClosingListenerDelaysNoOtherId() throws Exception {
        slow.bind(new InetSocketAddress(Rxe.IPV4, 0));
        slow.listen(4);
        InetSocketAddress address = slow.localAddress().orElseThrow();
        CmId client = Loopback.routed(other, address);
        Await.Running<?> closing;
        Await.Running<?> dropping;
        try (TamperedKernel.Hold hold = kernel.hold(CmCommands.RDMA_USER_CM_CMD_DESTROY_ID)) {
            closing = Await.inThread(() -> {
                slow.close();
                return "closed";
            });
            hold.awaitReached();
            client.connect(CmSides.withoutQp());
            dropping = Await.inThread(channel::awaitEvent).untilInside("drop");
            resolve(quick);
            assertThat(nextResolved(channel)).isSameAs(quick);
            assertThat(channel.awaitEvent(SHORT)).isEmpty();
        }
        closing.result();
        Events.expect(other, CmEventType.REJECTED);
        channel.close();
        dropping.join();
    }

    /** Both find the other under way at any point of it. */
    @Test
    void anIdAndItsChannelAreClosedAtOneTime() throws Exception {
        List<String> before = OpenResources.now();
        for (int i = 0; i < 400; i++) {
            int delay = i * 7 % 2000;
            EventChannel closed = EventChannel.open();
            CmId id = closed.createId(PortSpace.TCP);
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            Await.Running<?> idCloses = Await.inThread(() -> {
                id.close();
                return "closed";
            });
            for (int spin = 0; spin < delay; spin++) {
                Thread.onSpinWait();
            }
            closed.close();
            idCloses.result();
        }
        assertThat(OpenResources.now()).hasSameSizeAs(before);
    }
}
