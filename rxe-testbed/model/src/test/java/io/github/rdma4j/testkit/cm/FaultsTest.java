// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.LIMIT;
import static io.github.rdma4j.testkit.cm.TwoSides.RESOLVE;
import static io.github.rdma4j.testkit.cm.TwoSides.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.testkit.cm.TwoSides.Pair;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens rarely on a real kernel, and here when the test wants it. */
class FaultsTest {
    private final ModelRdmaCm model = new ModelRdmaCm();
    private final Place place = Place.of(model);

    @AfterEach
    void leavesNothing() {
        model.assertNothingLeft();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eventsThatAreHeldComeInTheirOrderOrInTheOpposite(boolean newestFirst) throws Exception {
        try (TwoSides sides = TwoSides.on(place)) {
            CmId first = sides.clients().createId(PortSpace.TCP);
            CmId second = sides.clients().createId(PortSpace.TCP);
            model.holdEvents();
            first.resolveAddress(sides.listener().localAddress().orElseThrow(), RESOLVE);
            second.resolveAddress(sides.listener().localAddress().orElseThrow(), RESOLVE);
            assertThat(sides.clients().pollEvent()).isEmpty();

            if (newestFirst) {
                model.releaseEventsNewestFirst();
            } else {
                model.releaseEvents();
            }

            CmId[] order = newestFirst ? new CmId[] {second, first} : new CmId[] {first, second};
            for (CmId id : order) {
                assertThat(expect(sides.clients(), CmEventType.ADDR_RESOLVED).id())
                        .isSameAs(id);
            }
        }
    }

    @Test
    void aConnectionFailsThatThePeerDoesNotAnswer() throws Exception {
        try (TwoSides sides = TwoSides.on(place)) {
            Pair pair = sides.requested();
            model.addEvent(pair.client(), CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number());
            try (CmEvent event = sides.clients().awaitEvent(LIMIT).orElseThrow()) {
                assertThat(event.type()).isEqualTo(CmEventType.UNREACHABLE);
                assertThat(event.status()).isEqualTo(-Errno.ETIMEDOUT.number());
                assertThat(event.toException()).hasMessageContaining("UNREACHABLE");
            }
            assertThat(pair.client().state()).isNotEqualTo(CmState.ESTABLISHED);
        }
    }

    @Test
    void theDeviceIsRemovedDuringAConnection() throws Exception {
        try (TwoSides sides = TwoSides.on(place)) {
            Pair pair = sides.connected();
            model.removeDevice();
            assertThat(expect(sides.clients(), CmEventType.DEVICE_REMOVAL).id()).isSameAs(pair.client());
            assertThat(pair.client().state()).isEqualTo(CmState.DEVICE_REMOVED);
            assertThatThrownBy(() -> pair.client().disconnect()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void descriptorsRunOut() throws Exception {
        model.limitDescriptors(0);
        assertThatThrownBy(() -> EventChannel.open(model.kernel()))
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        failure -> assertThat(failure.errno()).isEqualTo(Errno.EMFILE));
        model.unlimitDescriptors();
        EventChannel.open(model.kernel()).close();
    }

    @Test
    void aRequestBeyondTheLimitIsDeliveredWhenThereIsRoom() throws Exception {
        try (TwoSides sides = TwoSides.withBacklog(place, 1)) {
            CmId first = sides.connecting();
            CmId second = sides.connecting();
            // The listener, its clients, and the only request that there is room for.
            assertThat(model.ids()).isEqualTo(4);
            assertThat(sides.request().peerAddress()).isEqualTo(first.localAddress());
            assertThat(sides.request().peerAddress()).isEqualTo(second.localAddress());
        }
    }

    @Test
    void connectsOverIpv6() throws Exception {
        try (EventChannel servers = EventChannel.open(model.kernel());
                EventChannel clients = EventChannel.open(model.kernel())) {
            CmId listener = servers.createId(PortSpace.TCP);
            listener.bind(new InetSocketAddress(model.ipv6Address(), 4711));
            listener.listen(1);
            CmId client = clients.createId(PortSpace.TCP);
            client.resolveAddress(listener.localAddress().orElseThrow(), RESOLVE);
            expect(clients, CmEventType.ADDR_RESOLVED);
            client.resolveRoute(RESOLVE);
            expect(clients, CmEventType.ROUTE_RESOLVED);
            client.connect(TwoSides.saying("hello"));
            CmEvent request = expect(servers, CmEventType.CONNECT_REQUEST);
            assertThat(request.id().peerAddress()).isEqualTo(client.localAddress());
            assertThat(client.localAddress().orElseThrow().getAddress()).isEqualTo(model.ipv6Address());
        }
    }

    @Test
    void aHandlerThatThrowsEndsNoLoop() throws Exception {
        try (Loops loops = new Loops(place)) {
            CmListener throwing = loops.loop().listen(place.newAddress(), request -> {
                throw new IllegalStateException("thrown by a handler");
            });
            CompletableFuture<CmConnection> refused = loops.loop().connect(throwing.address());
            assertThat(loops.awaitUncaught()).hasMessage("thrown by a handler");
            throwing.close();
            assertThatThrownBy(() -> loops.loop().await(refused, LIMIT)).isInstanceOf(Exception.class);
            CmListener listener = loops.loop().listen(place.newAddress());
            CompletableFuture<CmConnection> client = loops.loop().connect(listener.address());
            loops.loop().await(loops.loop().await(listener.nextRequest(), LIMIT).accept(), LIMIT);
            assertThat(loops.loop().await(client, LIMIT).id().state()).isEqualTo(CmState.ESTABLISHED);
        }
    }

    @Test
    void aConnectionIsGivenUpBeforeItsFirstEvent() throws Exception {
        try (Loops loops = new Loops(place)) {
            CmListener listener = loops.loop().listen(place.newAddress());
            model.holdEvents();
            CompletableFuture<CmConnection> client = loops.loop().connect(listener.address());
            Await.until("the id of the client", () -> model.ids() == 2);
            assertThat(client.cancel(true)).isTrue();
            Await.until("only the listener's id", () -> model.ids() == 1);
            model.releaseEvents();
            CompletableFuture<CmConnection> other = loops.loop().connect(listener.address());
            loops.loop().await(loops.loop().await(listener.nextRequest(), LIMIT).accept(), LIMIT);
            assertThat(loops.loop().await(other, LIMIT).id().state()).isEqualTo(CmState.ESTABLISHED);
            // The listener and both ends of the second connection.
            assertThat(model.ids()).isEqualTo(3);
        }
    }

    @Test
    void reportsTheNameOfAStepThatTakesTooLong() throws Exception {
        try (Loops loops = new Loops(place)) {
            CmListener listener = loops.loop().listen(place.newAddress());
            model.holdEvents();
            CompletableFuture<CmConnection> client = loops.loop()
                    .connect(
                            listener.address(),
                            ConnectOptions.builder()
                                    .timeout(Duration.ofMillis(20))
                                    .build());
            assertThatThrownBy(() -> client.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .hasMessageContaining("resolving the address");
            model.releaseEvents();
        }
    }
}
