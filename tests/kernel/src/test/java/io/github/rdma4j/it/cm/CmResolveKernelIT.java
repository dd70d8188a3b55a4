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
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The way to a peer: found, not there at once, not there after a while. */
@RequiresKernel
class CmResolveKernelIT {
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

    private void resolve(String host) throws RdmaException {
        id.resolveAddress(new InetSocketAddress(host, 7174), Loopback.RESOLVE);
    }

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void findsDeviceAndAddressWhenTheEventIsRetrieved(String host) throws Exception {
        resolve(host);
        assertThat(id.state()).isEqualTo(CmState.RESOLVING_ADDRESS);
        assertThat(id.hasDevice()).isFalse();
        CmEvent event = Events.expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(event.status()).isZero();
        assertThat(event.id()).isSameAs(id);
        assertThat(id.state()).isEqualTo(CmState.ADDRESS_RESOLVED);
        assertThat(id.context().device().name()).isEqualTo(Rxe.DEVICE);
        assertThat(id.localAddress().orElseThrow().getAddress()).isEqualTo(InetAddress.getByName(host));
        assertThat(id.destinationGid()).contains(Gid.of(InetAddress.getByName(host)));
    }

    @Test
    void findsOneRouteWithTheGidsOfTheAddresses() throws Exception {
        resolve(Rxe.IPV4);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        id.resolveRoute(Loopback.RESOLVE);
        assertThat(id.state()).isEqualTo(CmState.RESOLVING_ROUTE);
        Events.expect(channel, CmEventType.ROUTE_RESOLVED);
        assertThat(id.state()).isEqualTo(CmState.ROUTE_RESOLVED);
        assertThat(id.paths()).hasSize(1);
        assertThat(id.paths().get(0).dgid()).isEqualTo(Gid.of(InetAddress.getByName(Rxe.IPV4)));
        assertThat(id.paths().get(0).sgid()).isEqualTo(Gid.of(InetAddress.getByName(Rxe.IPV4)));
    }

    @Test
    void takesASourceAddressWithPort() throws Exception {
        InetSocketAddress source = Rxe.newAddress();
        id.resolveAddress(source, new InetSocketAddress(Rxe.IPV4, 7174), Loopback.RESOLVE);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(id.localAddress()).contains(source);
    }

    @Test
    void resolvesFromABoundAddress() throws Exception {
        InetSocketAddress source = Rxe.newAddress();
        id.bind(source);
        resolve(Rxe.IPV4);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(id.localAddress()).contains(source);
    }

    @Test
    void refusesAnUnroutableAddressAtOnce() throws Exception {
        assertThatThrownBy(() -> resolve("192.0.2.1"))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENETUNREACH))
                .hasMessageContaining("192.0.2.1");
        assertThat(channel.pollEvent()).isEmpty();
        // The kernel binds an id before it looks for a way.
        assertThat(id.state()).isEqualTo(CmState.BOUND);
        assertThat(id.hasDevice()).isFalse();
        resolve(Rxe.IPV4);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
    }

    @Test
    void reportsASilentAddressAndTakesAnother() throws Exception {
        long start = System.nanoTime();
        id.resolveAddress(new InetSocketAddress(Rxe.SILENT, 7174), Duration.ofMillis(500));
        CmEvent event = Events.expect(channel, CmEventType.ADDR_ERROR);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(500));
        assertThat(event.status()).isEqualTo(-Errno.ETIMEDOUT.number());
        assertThat(event.toException()).hasMessageContaining("ETIMEDOUT").hasMessageContaining(Rxe.SILENT);
        assertThat(id.state()).isEqualTo(CmState.BOUND);
        resolve(Rxe.IPV4);
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
        assertThat(id.state()).isEqualTo(CmState.ADDRESS_RESOLVED);
    }

    @Test
    void findsNoRouteOverLoopback() throws Exception {
        resolve("127.0.0.1");
        CmEvent event = channel.awaitEvent(Await.LIMIT).orElseThrow();
        event.ack();
        // The kernel's own event is a success; that no device goes with it is the library's finding.
        assertThat(event.rawType()).isEqualTo(CmEventType.ADDR_RESOLVED.code());
        assertThatThrownBy(() -> {
                    if (event.type() == CmEventType.ADDR_ERROR) {
                        throw event.failure().orElseThrow();
                    }
                    id.resolveRoute(Loopback.RESOLVE);
                })
                .isInstanceOfAny(RdmaException.class, IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void refusesATimeoutThatTheKernelCannotTake(long millis) throws Exception {
        assertThatThrownBy(() -> id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 1), Duration.ofMillis(millis)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(id.state()).isEqualTo(CmState.IDLE);
    }

    @Test
    void takesATimeoutOfCenturies() throws Exception {
        id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 7174), Duration.ofDays(100_000));
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
    }

    @Test
    void closesWhileResolving() throws Exception {
        id.resolveAddress(new InetSocketAddress(Rxe.SILENT, 7174), Duration.ofSeconds(20));
        id.close();
        assertThat(id.state()).isEqualTo(CmState.DESTROYED);
        assertThat(channel.awaitEvent(Duration.ofMillis(100))).isEmpty();
    }
}
