// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A server that closes its id between its reply and the confirmation of the client: the kernel of the client, for which the connection is
 * established, is told by a rejection.
 */
abstract class PeerGoneBeforeConfirmationScenarios {
    /** Many times as often as it takes. */
    private static final int MOST_ATTEMPTS = 2_000;

    @Test
    void aRejectionEndsAnEstablishedConnection() throws Exception {
        try (CmSides sides = CmSides.open()) {
            CmEventType end = CmEventType.DISCONNECTED;
            for (int i = 0; i < MOST_ATTEMPTS && end == CmEventType.DISCONNECTED; i++) {
                end = confirmAndClose(sides);
            }
            assertThat(end).isEqualTo(CmEventType.REJECTED);
        }
    }

    /** The event that ends the client's connection when the server closes right behind the confirmation. */
    private static CmEventType confirmAndClose(CmSides sides) throws Exception {
        try (CmId client = sides.routed()) {
            client.connect(CmSides.withoutQp());
            CmId server = sides.request();
            server.accept(CmSides.withoutQp());
            Events.expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
            client.userManagedQp().establish();
            server.close();
            assertThat(client.state()).isEqualTo(CmState.ESTABLISHED);
            try (CmEvent event = sides.clients().awaitEvent(Await.LIMIT).orElseThrow()) {
                assertThat(event.id()).isSameAs(client);
                assertThat(event.type().endsConnection()).as(event.toString()).isTrue();
                assertThat(client.state()).isEqualTo(CmState.DISCONNECTED);
                client.disconnect();
                return event.type();
            }
        }
    }

    @Test
    void theLoopTellsOfEveryEnd() throws Exception {
        Map<CmEventType, Integer> ends = new EnumMap<>(CmEventType.class);
        try (CmSides sides = CmSides.open();
                CmEventLoop loop = CmEventLoop.open()) {
            for (int i = 0; i < MOST_ATTEMPTS && !ends.containsKey(CmEventType.REJECTED); i++) {
                CompletableFuture<CmConnection> connected =
                        loop.connect(sides.listener().localAddress().orElseThrow(), options());
                CmId server = sides.request();
                server.createQp(QueuePairOptions.DEFAULT);
                server.accept(ConnectionParameters.DEFAULT);
                closeAfter(i, server);
                end(loop, connected, ends);
            }
        }
        assertThat(ends).containsKey(CmEventType.REJECTED);
    }

    /** Each time a little later than the time before, from at once to about when the confirmation has come. */
    private static void closeAfter(int attempt, CmId server) throws RdmaException {
        long until = System.nanoTime() + attempt % 100 * 20_000L;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        server.close();
    }

    private static ConnectOptions options() {
        return ConnectOptions.builder().timeout(Await.LIMIT).build();
    }

    /** Counts the event that ended the connection, if the client's side was established at all. */
    private static void end(CmEventLoop loop, CompletableFuture<CmConnection> connected, Map<CmEventType, Integer> ends)
            throws Exception {
        CmConnection connection;
        try {
            connection = connected.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException tooEarly) {
            return;
        }
        try (connection) {
            CmEvent event = loop.await(connection.disconnected(), Await.LIMIT);
            ends.merge(event.type(), 1, Integer::sum);
            assertThat(connection.id().state()).isEqualTo(CmState.DISCONNECTED);
            assertThat(connection.qp().state()).isEqualTo(QpState.ERR);
        }
    }
}
