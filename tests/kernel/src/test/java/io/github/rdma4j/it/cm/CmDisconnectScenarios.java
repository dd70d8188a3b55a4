// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import org.junit.jupiter.api.Test;

/** How connections end, and what is left of them. */
abstract class CmDisconnectScenarios {
    @Test
    void tellsBothSidesOnceAndAfterAWhileThatAllIsOver() throws Exception {
        try (Loopback loopback = Loopback.connected()) {
            loopback.client().id().disconnect();
            loopback.client().id().disconnect();
            loopback.server().expectEvent(CmEventType.DISCONNECTED);
            assertThat(loopback.client().events().pollEvent()).isEmpty();
            loopback.server().id().disconnect();
            loopback.client().expectEvent(CmEventType.DISCONNECTED);
            loopback.client().expectEvent(CmEventType.TIMEWAIT_EXIT);
            loopback.server().expectEvent(CmEventType.TIMEWAIT_EXIT);
            assertThat(loopback.client().id().state()).isEqualTo(CmState.DISCONNECTED);
            assertThat(loopback.server().id().state()).isEqualTo(CmState.DISCONNECTED);
        }
    }

    @Test
    void letsBothSidesStart() throws Exception {
        try (Loopback loopback = Loopback.connected()) {
            loopback.server().id().disconnect();
            loopback.client().id().disconnect();
            loopback.client().expectEvent(CmEventType.DISCONNECTED);
            loopback.server().expectEvent(CmEventType.DISCONNECTED);
        }
    }

    @Test
    void flushesPostedRequests() throws Exception {
        try (Loopback loopback = Loopback.connected()) {
            loopback.client().receive(1, 64);
            loopback.client().receive(2, 64);
            loopback.client().id().disconnect();
            assertThat(loopback.client().completion().status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
            assertThat(loopback.client().completion().wrId()).isEqualTo(2);
        }
    }

    @Test
    void flushesTheOtherSideOnlyWhenItAnswers() throws Exception {
        try (Loopback loopback = Loopback.connected()) {
            loopback.server().receive(1, 64);
            loopback.client().id().disconnect();
            loopback.server().expectEvent(CmEventType.DISCONNECTED);
            loopback.server().id().disconnect();
            assertThat(loopback.server().completion().status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    void tellsThePeerOfAChannelThatIsClosed() throws Exception {
        try (Loopback loopback = Loopback.connected()) {
            loopback.client().events().close();
            loopback.server().expectEvent(CmEventType.DISCONNECTED);
            assertThat(loopback.client().id().state()).isEqualTo(CmState.DESTROYED);
        }
    }

    @Test
    void closesAnIdWithUnacknowledgedEventsWithoutWaiting() throws Exception {
        try (EventChannel channel = EventChannel.open()) {
            CmId listener = Loopback.listen(channel, Rxe.IPV4);
            CmId id = channel.createId(PortSpace.TCP);
            id.resolveAddress(listener.localAddress().orElseThrow(), Loopback.RESOLVE);
            CmEvent event = channel.awaitEvent(Await.LIMIT).orElseThrow();
            assertThat(id.unacknowledgedEvents()).isEqualTo(1);
            Await.inThread(() -> {
                        id.close();
                        return true;
                    })
                    .result();
            assertThat(event.type()).isEqualTo(CmEventType.ADDR_RESOLVED);
            event.ack();
            event.ack();
            assertThat(id.unacknowledgedEvents()).isZero();
        }
    }
}
