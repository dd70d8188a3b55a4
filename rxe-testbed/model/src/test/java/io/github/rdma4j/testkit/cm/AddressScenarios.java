// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.expect;
import static io.github.rdma4j.testkit.cm.TwoSides.saying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.QueuePairOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses, routes, options and listening: what an id does before it has a peer. */
abstract class AddressScenarios {
    private final Place place;
    private EventChannel channel;

    AddressScenarios(Place place) {
        this.place = place;
    }

    @BeforeEach
    void open() throws Exception {
        channel = EventChannel.open(place.kernel());
    }

    @AfterEach
    void close() throws Exception {
        channel.close();
        place.assertNothingLeft();
    }

    private CmId newId() throws Exception {
        return channel.createId(PortSpace.TCP);
    }

    private static InetSocketAddress ip(String address, int port) throws Exception {
        return new InetSocketAddress(InetAddress.getByName(address), port);
    }

    private static void assertErrno(int number, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        failure -> assertThat(failure.errno().number()).isEqualTo(number));
    }

    @Test
    void bindsToTheDevice() throws Exception {
        InetSocketAddress address = place.newAddress();
        CmId id = newId();
        assertThat(id.localAddress()).isEmpty();
        id.bind(address);
        assertThat(id.state()).isEqualTo(CmState.BOUND);
        assertThat(id.localAddress()).contains(address);
        assertThat(id.peerAddress()).isEmpty();
        assertThat(id.hasDevice()).isTrue();
        assertThat(id.portNumber()).isEqualTo(1);
        assertThat(id.context().device().name()).isEqualTo("rxe0");
    }

    @Test
    void bindsToAFreePort() throws Exception {
        CmId one = newId();
        CmId other = newId();
        one.bind(new InetSocketAddress(place.address(), 0));
        other.bind(new InetSocketAddress(place.address(), 0));
        assertThat(one.localAddress().orElseThrow().getPort()).isPositive();
        assertThat(other.localAddress()).isNotEqualTo(one.localAddress());
    }

    @Test
    void aQueuePairThatItsUserHasClosedMakesRoomForAnother() throws Exception {
        try (CmId id = channel.createId(PortSpace.TCP)) {
            id.bind(place.newAddress());
            id.createQp(QueuePairOptions.DEFAULT).close();
            assertThat(id.createQp(QueuePairOptions.DEFAULT).isClosed()).isFalse();
            assertThatThrownBy(() -> id.createQp(QueuePairOptions.DEFAULT)).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "127.0.0.1"})
    void theWildcardAndTheLoopbackAddressBindNoDevice(String address) throws Exception {
        CmId id = newId();
        id.bind(ip(address, place.newAddress().getPort()));
        assertThat(id.state()).isEqualTo(CmState.BOUND);
        assertThat(id.hasDevice()).isFalse();
        assertThatThrownBy(id::pd).isInstanceOf(IllegalStateException.class);
        assertThat(id.sourceGid()).isEmpty();
        assertThat(id.destinationGid()).isEmpty();
    }

    @Test
    void anAddressOfAnotherHostCannotBeBound() throws Exception {
        CmId id = newId();
        assertThatThrownBy(() -> id.bind(ip("10.77.0.99", 0)))
                .hasMessageContaining("RDMA_USER_CM_CMD_BIND")
                .hasMessageContaining("EADDRNOTAVAIL");
        assertThat(id.state()).isEqualTo(CmState.IDLE);
        id.bind(place.newAddress());
    }

    @Test
    void aPortIsTakenOnce() throws Exception {
        InetSocketAddress address = place.newAddress();
        newId().bind(address);
        CmId id = newId();
        assertErrno(98, () -> id.bind(address)); // EADDRINUSE
        assertErrno(99, () -> id.bind(ip("0.0.0.0", address.getPort())));
        assertThat(id.state()).isEqualTo(CmState.IDLE);
        assertThat(id.localAddress()).isEmpty();
    }

    @Test
    void aPortIsFreeWhenItsIdIsClosed() throws Exception {
        InetSocketAddress address = place.newAddress();
        try (CmId first = newId()) {
            first.bind(address);
        }
        newId().bind(address);
    }

    @Test
    void portSpacesHavePortsOfTheirOwn() throws Exception {
        InetSocketAddress address = place.newAddress();
        newId().bind(address);
        channel.createId(PortSpace.UDP).bind(address);
    }

    @Test
    void aPortCanBeSharedByThoseWhoDoNotListen() throws Exception {
        InetSocketAddress address = place.newAddress();
        CmId one = newId();
        CmId other = newId();
        one.settings().reuseAddress(true);
        other.settings().reuseAddress(true);
        one.bind(address);
        other.bind(address);
        assertErrno(98, () -> one.listen(1)); // EADDRINUSE
        assertThat(one.state()).isEqualTo(CmState.BOUND);
        other.close();
        one.listen(1);
    }

    @Test
    void bindsOnce() throws Exception {
        CmId id = newId();
        id.bind(place.newAddress());
        assertThatThrownBy(() -> id.bind(place.newAddress())).isInstanceOf(IllegalStateException.class);
    }

    // ---- resolving

    @Test
    void resolvesAnAddressOfTheDevice() throws Exception {
        InetSocketAddress to = place.newAddress();
        CmId id = newId();
        id.resolveAddress(to, TwoSides.RESOLVE);
        assertThat(id.state()).isEqualTo(CmState.RESOLVING_ADDRESS);
        assertThat(id.peerAddress()).contains(to);
        CmEvent event = expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(event.id()).isSameAs(id);
        assertThat(id.state()).isEqualTo(CmState.ADDRESS_RESOLVED);
        assertThat(id.localAddress().orElseThrow().getAddress()).isEqualTo(place.address());
        assertThat(id.hasDevice()).isTrue();
        assertThat(id.paths()).isEmpty();
        id.resolveRoute(TwoSides.RESOLVE);
        assertThat(id.state()).isEqualTo(CmState.RESOLVING_ROUTE);
        expect(channel, CmEventType.ROUTE_RESOLVED);
        assertThat(id.state()).isEqualTo(CmState.ROUTE_RESOLVED);
        assertThat(id.paths()).hasSize(1);
    }

    @Test
    void resolvesFromASource() throws Exception {
        InetSocketAddress from = place.newAddress();
        CmId id = newId();
        id.resolveAddress(from, place.newAddress(), TwoSides.RESOLVE);
        expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(id.localAddress()).contains(from);
        assertThatThrownBy(() -> id.resolveAddress(place.newAddress(), TwoSides.RESOLVE))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anIdDoesNotMoveToAnotherSource() throws Exception {
        CmId id = newId();
        id.bind(place.newAddress());
        assertThatThrownBy(() -> id.resolveAddress(place.newAddress(), place.newAddress(), TwoSides.RESOLVE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(id.state()).isEqualTo(CmState.BOUND);
    }

    @Test
    void thereIsNoRouteToAnotherNetwork() throws Exception {
        CmId id = newId();
        assertErrno(101, () -> id.resolveAddress(ip("192.0.2.1", 7), TwoSides.RESOLVE)); // ENETUNREACH
        assertThat(id.state()).isEqualTo(CmState.BOUND);
        id.resolveAddress(place.newAddress(), TwoSides.RESOLVE);
        expect(channel, CmEventType.ADDR_RESOLVED);
    }

    @Test
    void theLoopbackAddressResolvesAndItsRouteDoesNot() throws Exception {
        CmId id = newId();
        id.resolveAddress(ip("127.0.0.1", 7), TwoSides.RESOLVE);
        expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(id.hasDevice()).isTrue();
        assertErrno(19, () -> id.resolveRoute(TwoSides.RESOLVE)); // ENODEV
        assertThat(id.state()).isEqualTo(CmState.ADDRESS_RESOLVED);
    }

    @Test
    void aPathCanBeGiven() throws Exception {
        CmId known = newId();
        known.resolveAddress(place.newAddress(), TwoSides.RESOLVE);
        expect(channel, CmEventType.ADDR_RESOLVED);
        known.resolveRoute(TwoSides.RESOLVE);
        expect(channel, CmEventType.ROUTE_RESOLVED);
        CmId id = newId();
        id.resolveAddress(known.peerAddress().orElseThrow(), TwoSides.RESOLVE);
        expect(channel, CmEventType.ADDR_RESOLVED);
        id.settings().paths(known.paths());
        assertThat(expect(channel, CmEventType.ROUTE_RESOLVED).id()).isSameAs(id);
        assertThat(id.state()).isEqualTo(CmState.ROUTE_RESOLVED);
    }

    // ---- what a state does not allow

    @Test
    void commandsComeInOrder() throws Exception {
        CmId id = newId();
        for (ThrowingCallable tooEarly : List.<ThrowingCallable>of(
                () -> id.resolveRoute(TwoSides.RESOLVE),
                () -> id.connect(saying("hello")),
                () -> id.accept(saying("hello")),
                () -> id.reject(new byte[0]),
                id::disconnect,
                () -> id.userManagedQp().establish())) {
            assertThatThrownBy(tooEarly).isInstanceOf(IllegalStateException.class);
        }
        assertThat(id.state()).isEqualTo(CmState.IDLE);
    }

    // ---- listening

    @Test
    void listensWithoutAnAddress() throws Exception {
        CmId id = newId();
        id.listen(1);
        assertThat(id.state()).isEqualTo(CmState.LISTENING);
        assertThat(id.localAddress().orElseThrow().getPort()).isPositive();
        assertThat(id.localAddress().orElseThrow().getAddress().isAnyLocalAddress())
                .isTrue();
    }

    @Test
    void listensOnce() throws Exception {
        CmId id = newId();
        id.listen(1);
        assertThatThrownBy(() -> id.listen(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> id.settings().reuseAddress(true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("LISTENING");
        assertThatThrownBy(() -> newId().listen(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aListenerAtTheWildcardIsFound() throws Exception {
        CmId listener = newId();
        int port = place.newAddress().getPort();
        listener.bind(ip("0.0.0.0", port));
        listener.listen(1);
        CmId client = newId();
        client.resolveAddress(new InetSocketAddress(place.address(), port), TwoSides.RESOLVE);
        expect(channel, CmEventType.ADDR_RESOLVED);
        client.resolveRoute(TwoSides.RESOLVE);
        expect(channel, CmEventType.ROUTE_RESOLVED);
        client.connect(saying("hello"));
        CmEvent request = expect(channel, CmEventType.CONNECT_REQUEST);
        assertThat(request.listener()).contains(listener);
        assertThat(request.id().localAddress()).contains(new InetSocketAddress(place.address(), port));
        assertThat(request.id().hasDevice()).isTrue();
    }

    // ---- options

    @Test
    void setsOptions() throws Exception {
        CmId id = newId();
        id.settings().typeOfService(8).ackTimeout(17).addressFamilyOnly(true).reuseAddress(true);
        id.settings().reuseAddress(false);
        id.bind(place.newAddress());
        id.settings().addressFamilyOnly(false).reuseAddress(true);
        assertErrno(22, () -> id.settings().reuseAddress(false)); // EINVAL
    }

    @Test
    void datagramsAreNotAcknowledged() throws Exception {
        CmId id = channel.createId(PortSpace.UDP);
        assertThatThrownBy(() -> id.settings().ackTimeout(17))
                .hasMessageContaining("RDMA_OPTION_ID_ACK_TIMEOUT")
                .hasMessageContaining("EINVAL");
    }

    @Test
    void aChannelMakesManyIds() throws Exception {
        for (int i = 0; i < 20; i++) {
            newId();
        }
        channel.close();
        assertThatThrownBy(this::newId).isInstanceOf(IllegalStateException.class);
    }
}
