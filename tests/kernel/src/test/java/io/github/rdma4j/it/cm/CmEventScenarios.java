// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an event holds, that it is counted once, and that several threads do not change the order of effects. */
abstract class CmEventScenarios {
    private CmSides sides;

    @BeforeEach
    void open() throws RdmaException {
        sides = CmSides.open();
    }

    @AfterEach
    void close() throws RdmaException {
        sides.close();
    }

    private static void assertHoldsNothing(CmEvent event) {
        assertThat(event.privateData()).isEmpty();
        assertThat(event.datagramPeer()).isEmpty();
        assertThat(event.membership()).isEmpty();
        assertThat(event.userArgument()).isEmpty();
        assertThat(event.connectionParameters()).isEmpty();
        assertThat(event.listener()).isEmpty();
        assertThat(event.failure()).isEmpty();
        assertThat(event.remoteEce()).isEqualTo(Ece.NONE);
        assertThat(event.status()).isZero();
    }

    @Test
    void holdsOnlyWhatBelongsToItsType() throws Exception {
        CmId id = sides.clients().createId(PortSpace.TCP);
        id.resolveAddress(sides.listener().localAddress().orElseThrow(), Loopback.RESOLVE);
        assertHoldsNothing(Events.expect(sides.clients(), CmEventType.ADDR_RESOLVED));
        id.resolveRoute(Loopback.RESOLVE);
        assertHoldsNothing(Events.expect(sides.clients(), CmEventType.ROUTE_RESOLVED));
        id.connect(CmSides.withoutQp());
        CmEvent request = Events.expect(sides.servers(), CmEventType.CONNECT_REQUEST);
        assertThat(request.listener()).containsSame(sides.listener());
        assertThat(request.connectionParameters()).isPresent();
        assertThat(request.datagramPeer()).isEmpty();
        request.id().accept(CmSides.withoutQp());
        CmEvent response = Events.expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
        assertThat(response.connectionParameters()).isPresent();
        assertThat(response.privateData()).hasSize(ConnectionParameters.MAX_REPLY_PRIVATE_DATA);
        id.userManagedQp().establish();
        assertHoldsNothing(Events.expect(sides.servers(), CmEventType.ESTABLISHED));
        id.disconnect();
        assertHoldsNothing(Events.expect(sides.servers(), CmEventType.DISCONNECTED));
    }

    @Test
    void staysReadableAfterItsIdIsClosed() throws Exception {
        CmSides.Pair pair = sides.requested();
        pair.server().reject(new byte[] {1, 2, 3});
        CmEvent rejected = Events.expect(sides.clients(), CmEventType.REJECTED);
        pair.client().close();
        assertThat(rejected.status()).isEqualTo(28);
        assertThat(rejected.privateData()).startsWith(1, 2, 3);
        assertThat(rejected.id()).isSameAs(pair.client());
        assertThat(rejected.toString()).contains("REJECTED").contains("28");
        rejected.privateData()[0] = 9;
        assertThat(rejected.privateData()[0]).isEqualTo((byte) 1);
    }

    @Test
    void isAcknowledgedOnceHoweverOftenItIsSaid() throws Exception {
        CmId id = sides.clients().createId(PortSpace.TCP);
        id.resolveAddress(sides.listener().localAddress().orElseThrow(), Loopback.RESOLVE);
        CmEvent first = sides.clients().awaitEvent(Await.LIMIT).orElseThrow();
        id.resolveRoute(Loopback.RESOLVE);
        CmEvent second = sides.clients().awaitEvent(Await.LIMIT).orElseThrow();
        assertThat(id.unacknowledgedEvents()).isEqualTo(2);
        first.ack();
        first.ack();
        first.close();
        assertThat(id.unacknowledgedEvents()).isEqualTo(1);
        second.close();
        assertThat(id.unacknowledgedEvents()).isZero();
    }

    @Test
    void countsARequestAgainstTheListener() throws Exception {
        sides.connecting();
        CmEvent request = sides.servers().awaitEvent(Await.LIMIT).orElseThrow();
        assertThat(sides.listener().unacknowledgedEvents()).isEqualTo(1);
        assertThat(request.id().unacknowledgedEvents()).isZero();
        request.id().close();
        request.ack();
        assertThat(sides.listener().unacknowledgedEvents()).isZero();
    }

    /**
     * Each server gets ESTABLISHED and at once DISCONNECTED, since its client closes: taken by different threads as often
     * as not, they must leave every id disconnected. On a busy machine the kernel may see the client's goodbye before its
     * last word of the handshake, and then there is no ESTABLISHED.
     */
    @Test
    void takesEffectInTheKernelsOrderWhateverTheNumberOfThreads() throws Exception {
        int connections = 120;
        List<CmId> clients = new ArrayList<>();
        List<CmId> servers = new ArrayList<>();
        List<CmEvent> taken = new CopyOnWriteArrayList<>();
        for (int i = 0; i < connections; i++) {
            sides.routed().connect(CmSides.withoutQp());
            CmId server = sides.request();
            server.accept(CmSides.withoutQp());
            servers.add(server);
            CmEvent response = Events.expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
            clients.add(response.id());
        }
        for (CmId client : clients) {
            client.userManagedQp().establish();
            client.close();
        }
        List<Await.Running<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Await.inThread(() -> take(taken)));
        }
        Await.until(
                "every DISCONNECTED", () -> of(CmEventType.DISCONNECTED, taken).size() == connections);
        sides.close();
        for (Await.Running<Boolean> thread : threads) {
            assertThat(thread.result()).isTrue();
        }
        assertThat(of(CmEventType.DISCONNECTED, taken)).containsExactlyInAnyOrderElementsOf(servers);
        assertThat(of(CmEventType.ESTABLISHED, taken)).doesNotHaveDuplicates().isSubsetOf(servers);
        assertThat(taken)
                .allSatisfy(event -> assertThat(event.type())
                        .isIn(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT));
    }

    private static List<CmId> of(CmEventType type, List<CmEvent> events) {
        return events.stream()
                .filter(event -> event.type() == type)
                .map(CmEvent::id)
                .toList();
    }

    private boolean take(List<CmEvent> taken) throws RdmaException, InterruptedException {
        try {
            while (true) {
                CmEvent event = sides.servers().awaitEvent();
                event.ack();
                if (event.type() == CmEventType.DISCONNECTED) {
                    assertThat(event.id().state()).isEqualTo(CmState.DISCONNECTED);
                }
                taken.add(event);
            }
        } catch (ClosedWhileWaitingException | IllegalStateException closed) {
            return sides.servers().isClosed();
        }
    }
}
