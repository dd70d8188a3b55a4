// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Event channels, completion channels and asynchronous events of a device in one wait. */
@RequiresKernel
class ReadinessSetKernelIT {
    private static final int CHANNELS = 300;

    private ReadinessSet set;

    @BeforeEach
    void open() throws Exception {
        set = ReadinessSet.open(Kernel.running());
    }

    @AfterEach
    void close() {
        set.close();
    }

    private static CmId resolving(EventChannel channel) throws Exception {
        CmId id = channel.createId(PortSpace.TCP);
        id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 7174), Loopback.RESOLVE);
        return id;
    }

    private List<Pollable> now() throws Exception {
        return set.await(Duration.ZERO);
    }

    @Test
    void waitsForEveryKindOfEvent() throws Exception {
        try (Loopback ends = Loopback.setup().connect();
                EventChannel channel = EventChannel.open()) {
            End server = ends.server();
            Pollable async = server.context().asyncEvents();
            set.add(channel);
            set.add(server.channel());
            set.add(async);
            assertThat(now()).isEmpty();

            resolving(channel);
            assertThat(set.await(Await.LIMIT)).containsExactly(channel);
            Events.expect(channel, CmEventType.ADDR_RESOLVED);
            assertThat(now()).isEmpty();

            server.cq().requestNotification(false);
            server.receive(1, 8);
            ends.client().send(2, 8);
            ends.client().success();
            assertThat(set.await(Await.LIMIT)).containsExactly(server.channel());
            assertThat(server.channel().awaitEvent(Duration.ZERO)).containsSame(server.cq());
            assertThat(now()).isEmpty();

            ends.client().qp().modify(QpAttr.builder().state(QpState.SQD).build());
            assertThat(set.await(Await.LIMIT)).containsExactly(async);
            while (!now().isEmpty()) {
                assertThat(server.context().awaitAsyncEvent(Duration.ZERO)).isPresent();
            }
        }
        assertThat(new HashSet<>(now())).as("all that were closed").hasSize(3);
        assertThat(set.size()).isZero();
    }

    @Test
    void findsTheEventsOfManyChannels() throws Exception {
        List<EventChannel> channels = new ArrayList<>();
        try {
            for (int i = 0; i < CHANNELS; i++) {
                EventChannel channel = EventChannel.open();
                channels.add(channel);
                set.add(channel);
            }
            Set<Pollable> expected = new HashSet<>();
            for (int i = 0; i < CHANNELS; i += 7) {
                resolving(channels.get(i));
                expected.add(channels.get(i));
            }
            Set<Pollable> seen = new HashSet<>();
            while (!seen.equals(expected)) {
                List<Pollable> ready = set.await(Await.LIMIT);
                assertThat(ready).isNotEmpty();
                for (Pollable each : ready) {
                    Events.expect((EventChannel) each, CmEventType.ADDR_RESOLVED);
                    seen.add(each);
                }
            }
            assertThat(now()).isEmpty();
        } finally {
            for (EventChannel channel : channels) {
                channel.close();
            }
        }
    }
}
