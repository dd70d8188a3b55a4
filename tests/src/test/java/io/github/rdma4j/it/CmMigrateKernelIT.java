// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code rdma_migrate_id(3)}. */
@RequiresKernel
class CmMigrateKernelIT {
    private EventChannel first;
    private EventChannel second;
    private CmId listener;

    @BeforeEach
    void open() throws RdmaException {
        first = EventChannel.open();
        second = EventChannel.open();
        listener = Loopback.listen(first, Rxe.IPV4);
    }

    @AfterEach
    void close() throws RdmaException {
        first.close();
        second.close();
    }

    private CmId resolving(EventChannel channel) throws RdmaException {
        CmId id = channel.createId(PortSpace.TCP);
        id.resolveAddress(listener.localAddress().orElseThrow(), Loopback.RESOLVE);
        return id;
    }

    @Test
    void takesUndeliveredEventsAlong() throws Exception {
        CmId id = resolving(first);
        Await.until("the event waits", () -> EventsWaiting.now(first));
        id.migrate(second);
        assertThat(id.channel()).isSameAs(second);
        assertThat(first.pollEvent()).isEmpty();
        assertThat(Events.expect(second, CmEventType.ADDR_RESOLVED).id()).isSameAs(id);
        assertThat(id.state()).isEqualTo(CmState.ADDRESS_RESOLVED);
    }

    @Test
    void waitsForEventsThatWereNotAcknowledged() throws Exception {
        CmId id = resolving(first);
        CmEvent event = first.awaitEvent(Await.LIMIT).orElseThrow();
        assertThatThrownBy(() -> id.migrate(second, Duration.ofMillis(20)))
                .isInstanceOf(CmTimeoutException.class)
                .hasMessageContaining("has migrated");
        assertThat(id.channel()).isSameAs(second);
        Await.Running<String> waiting = Await.inThread(() -> {
            id.migrate(second);
            return "done";
        });
        waiting.untilInside("await");
        event.ack();
        assertThat(waiting.result()).isEqualTo("done");
    }

    @Test
    void movesAListenerWithRequestsThatWait() throws Exception {
        try (EventChannel clients = EventChannel.open()) {
            CmId client = Loopback.routed(clients, listener.localAddress().orElseThrow());
            client.createQp(new QueuePairOptions());
            client.connect(ConnectionParameters.DEFAULT);
            Await.until("the request waits", () -> EventsWaiting.now(first));
            listener.migrate(second);
            CmId server = Events.expect(second, CmEventType.CONNECT_REQUEST).id();
            assertThat(server.channel()).isSameAs(second);
            server.createQp(new QueuePairOptions());
            server.accept(ConnectionParameters.DEFAULT);
            Events.expect(clients, CmEventType.ESTABLISHED);
            Events.expect(second, CmEventType.ESTABLISHED);
            client.close();
        }
    }
}
