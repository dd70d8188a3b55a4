// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.UnresolvedNameException;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.Netdev;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an id is bound to, from when it is, and that it stays so. */
@RequiresKernel
class CmAddressKernelIT {
    private static final int PKEY = 0xffff;
    private static final InetSocketAddress UNROUTABLE = new InetSocketAddress("192.0.2.1", 7174);
    private static final InetSocketAddress SILENT = new InetSocketAddress(Rxe.SILENT, 7174);

    private EventChannel channel;
    private CmId id;

    @BeforeEach
    void open() throws RdmaException {
        channel = EventChannel.open();
        id = channel.createId(PortSpace.TCP);
    }

    @AfterEach
    void close() throws RdmaException {
        channel.close();
    }

    private interface Call {
        void run() throws Exception;
    }

    private static void assertErrno(Errno errno, Call call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno));
    }

    private static void assertDoesNotMove(CmId id, SocketAddress source) {
        CmState before = id.state();
        assertThatThrownBy(() -> id.resolveAddress(source, Rxe.newAddress(), Loopback.RESOLVE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot resolve from")
                .hasMessageContaining(source.toString());
        assertThat(id.state()).isEqualTo(before);
    }

    private static InetSocketAddress at(String host) {
        return new InetSocketAddress(host, 0);
    }

    @Test
    void sharesThePortOfAnIpv6WildcardWithIpv4WhenItIsForIpv6Alone() throws Exception {
        int port = Rxe.newPort();
        id.settings().addressFamilyOnly(true);
        id.bind(new InetSocketAddress(InetAddress.getByName("::"), port));
        id.listen(1);
        CmId ipv4 = channel.createId(PortSpace.TCP);
        ipv4.bind(new InetSocketAddress("0.0.0.0", port));
        ipv4.listen(1);
        assertThat(ipv4.state()).isEqualTo(CmState.LISTENING);
    }

    @Test
    void takesThePortForBothFamiliesWhenItIsNot() throws Exception {
        int port = Rxe.newPort();
        id.settings().addressFamilyOnly(false);
        id.bind(new InetSocketAddress(InetAddress.getByName("::"), port));
        CmId ipv4 = channel.createId(PortSpace.TCP);
        assertErrno(Errno.EADDRNOTAVAIL, () -> ipv4.bind(new InetSocketAddress("0.0.0.0", port)));
        id.listen(1);
        try (EventChannel clients = EventChannel.open()) {
            CmId client = Loopback.routed(clients, new InetSocketAddress(Rxe.IPV4, port));
            client.createQp(QueuePairOptions.DEFAULT);
            client.connect(ConnectionParameters.DEFAULT);
            CmId server = Events.expect(channel, CmEventType.CONNECT_REQUEST).id();
            assertThat(server.peerAddress().orElseThrow().getAddress()).isEqualTo(InetAddress.getByName(Rxe.IPV4));
        }
    }

    private static Inet6Address linkLocal() throws Exception {
        return Collections.list(NetworkInterface.getByName(Rxe.NETDEV).getInetAddresses()).stream()
                .filter(address -> address instanceof Inet6Address && address.isLinkLocalAddress())
                .map(Inet6Address.class::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void bindsALinkLocalAddressOfAnInterface() throws Exception {
        Inet6Address address = linkLocal();
        assertThat(address.getScopeId()).isPositive();
        id.bind(new InetSocketAddress(address, 0));
        assertThat(id.hasDevice()).isTrue();
        assertThat(id.sourceGid()).contains(Gid.of(address));
        InetAddress local = id.localAddress().orElseThrow().getAddress();
        assertThat(((Inet6Address) local).getScopeId()).isEqualTo(address.getScopeId());
    }

    @Test
    void refusesALinkLocalAddressOfNoInterface() throws Exception {
        Inet6Address nowhere = Inet6Address.getByAddress(null, linkLocal().getAddress(), -1);
        assertErrno(Errno.EINVAL, () -> id.bind(new InetSocketAddress(nowhere, 0)));
        assertThat(id.state()).isEqualTo(CmState.IDLE);
    }

    @Test
    void knowsNothingOfTheDeviceBeforeTheEventIsRetrieved() throws Exception {
        id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 7174), Loopback.RESOLVE);
        Await.until("the event waits", () -> EventsWaiting.now(channel));
        assertThat(id.hasDevice()).isFalse();
        assertThat(id.portNumber()).isZero();
        assertThat(id.partitionKey()).isZero();
        assertThat(id.sourceGid()).isEmpty();
        assertThat(id.localAddress()).isEmpty();
        assertThat(id.peerAddress()).contains(new InetSocketAddress(Rxe.IPV4, 7174));
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(id.context().device().name()).isEqualTo(Rxe.DEVICE);
        assertThat(id.portNumber()).isEqualTo(1);
        assertThat(id.sourceGid()).contains(Gid.of(InetAddress.getByName(Rxe.IPV4)));
        assertThat(id.destinationGid()).contains(Gid.of(InetAddress.getByName(Rxe.IPV4)));
        assertThat(id.paths()).isEmpty();
    }

    @Test
    void staysBoundAfterAnAttemptWithoutARoute() throws Exception {
        assertErrno(Errno.ENETUNREACH, () -> id.resolveAddress(UNROUTABLE, Loopback.RESOLVE));
        assertThat(id.state()).isEqualTo(CmState.BOUND);
        InetSocketAddress wildcard = id.localAddress().orElseThrow();
        assertThat(wildcard.getAddress().isAnyLocalAddress()).isTrue();
        assertDoesNotMove(id, Rxe.newAddress());
        assertThatThrownBy(() -> id.bind(Rxe.newAddress())).isInstanceOf(IllegalStateException.class);
        id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 7174), Loopback.RESOLVE);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(id.localAddress()).contains(new InetSocketAddress(Rxe.IPV4, wildcard.getPort()));
    }

    @Test
    void staysWhereAnAttemptWithoutAnAnswerHasBoundIt() throws Exception {
        InetSocketAddress source = Rxe.newAddress();
        id.resolveAddress(source, SILENT, Duration.ofMillis(200));
        assertThat(id.localAddress()).contains(source);
        assertThat(id.hasDevice()).isTrue();
        CmEvent event = Events.expect(channel, CmEventType.ADDR_ERROR);
        assertThat(event.status()).isEqualTo(-Errno.ETIMEDOUT.number());
        assertThat(event.failure()).isEmpty();
        assertThat(event.toException()).hasMessageContaining("ETIMEDOUT").hasMessageContaining(Rxe.SILENT);
        assertThat(id.state()).isEqualTo(CmState.BOUND);
        assertThat(id.localAddress()).contains(source);
        assertThat(id.peerAddress()).contains(SILENT);
        assertDoesNotMove(id, Rxe.newAddress());
        id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 7174), Loopback.RESOLVE);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(id.localAddress()).contains(source);
    }

    @Test
    void bindsAnInfinibandAddressOnlyAsAWildcard() throws Exception {
        long service = 0x0106L << 16 | Rxe.newPort();
        Gid own = Gid.of(InetAddress.getByName(Rxe.IPV4));
        assertErrno(Errno.ENODEV, () -> id.bind(new IbSocketAddress(PKEY, own, service, -1, 0)));
        assertThat(id.state()).isEqualTo(CmState.IDLE);
        id.bind(new IbSocketAddress(PKEY, new Gid(0, 0), service, -1, 0));
        assertThat(id.hasDevice()).isFalse();
        assertThat(id.localAddress()).isEmpty();
        assertThat(id.localIbAddress().orElseThrow().serviceId()).isEqualTo(service);
    }

    @Test
    void takesAnyTypeInThePortSpaceOfInfinibandAlone() throws Exception {
        CmId datagrams = channel.createId(PortSpace.IB, QueuePairType.UD);
        datagrams.bind(at(Rxe.IPV4));
        assertThat(datagrams.queuePairType().isDatagram()).isTrue();
        assertThatThrownBy(() -> channel.createId(PortSpace.TCP, QueuePairType.UD))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PortSpace.IB");
    }

    @Test
    void refusesAnAddressOfANetdevWithoutRdma() throws Exception {
        try (Netdev plain = Netdev.dummy("plain0", "10.78.0.1/24")) {
            assertErrno(Errno.ENODEV, () -> id.bind(at("10.78.0.1")));
            assertThat(id.state()).isEqualTo(CmState.IDLE);
            assertThat(plain.name()).isEqualTo("plain0");
        }
    }

    @Test
    void refusesANameWithoutAddress() {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("no.such.host.invalid", 1);
        assertThatThrownBy(() -> id.bind(unresolved))
                .isInstanceOf(UnresolvedNameException.class)
                .hasMessageContaining("no.such.host.invalid");
        assertThatThrownBy(() -> id.resolveAddress(unresolved, Rxe.newAddress(), Loopback.RESOLVE))
                .isInstanceOf(UnresolvedNameException.class);
        assertThat(id.state()).isEqualTo(CmState.IDLE);
    }

    @Test
    void takesABacklogOfZeroForTheLargest() throws Exception {
        id.listen(0);
        channel.createId(PortSpace.TCP).listen(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void findsOneRouteWithTheGidsOfTheAddresses(String host) throws Exception {
        InetAddress address = InetAddress.getByName(host);
        id.resolveAddress(new InetSocketAddress(address, 7174), Loopback.RESOLVE);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(id.localAddress().orElseThrow().getAddress()).isEqualTo(address);
        assertThat(id.sourceGid()).contains(Gid.of(address));
        assertThat(id.destinationGid()).contains(Gid.of(address));
        id.resolveRoute(Loopback.RESOLVE);
        Events.expect(channel, CmEventType.ROUTE_RESOLVED);
        assertThat(id.paths()).hasSize(1);
        assertThat(id.paths().get(0).dgid()).isEqualTo(Gid.of(address));
        assertThat(id.paths().get(0).sgid()).isEqualTo(Gid.of(address));
    }

    @Test
    void closesWhileResolving() throws Exception {
        id.resolveAddress(SILENT, Duration.ofSeconds(20));
        id.close();
        assertThat(id.state()).isEqualTo(CmState.DESTROYED);
        assertThat(channel.awaitEvent(Duration.ofMillis(100))).isEmpty();
    }
}
