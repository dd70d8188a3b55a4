// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.UnresolvedNameException;
import io.github.rdma4j.it.support.Netdev;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Local addresses: which the kernel takes, and with which error it refuses the others. */
@RequiresKernel
class CmBindKernelIT {
    private EventChannel channel;

    @BeforeEach
    void open() throws RdmaException {
        channel = EventChannel.open();
    }

    @AfterEach
    void close() throws RdmaException {
        channel.close();
    }

    private CmId id() throws RdmaException {
        return channel.createId(PortSpace.TCP);
    }

    private static InetSocketAddress at(String host, int port) {
        return new InetSocketAddress(host, port);
    }

    private static void assertRefused(CmId id, InetSocketAddress address, Errno errno) {
        assertThatThrownBy(() -> id.bind(address))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(errno))
                .hasMessageContaining("RDMA_USER_CM_CMD_BIND");
        assertThat(id.state()).isEqualTo(CmState.IDLE);
    }

    @Test
    void givesAFreePortAndTheDevice() throws RdmaException {
        CmId id = id();
        id.bind(at(Rxe.IPV4, 0));
        assertThat(id.state()).isEqualTo(CmState.BOUND);
        InetSocketAddress local = id.localAddress().orElseThrow();
        assertThat(local.getAddress().getHostAddress()).isEqualTo(Rxe.IPV4);
        assertThat(local.getPort()).isPositive();
        assertThat(id.hasDevice()).isTrue();
        assertThat(id.context().device().name()).isEqualTo(Rxe.DEVICE);
        assertThat(id.portNumber()).isEqualTo(1);
        assertThat(id.sourceGid()).contains(Gid.of(local.getAddress()));
    }

    @Test
    void sharesOneContextAmongTheIdsOfADevice() throws RdmaException {
        CmId first = id();
        CmId second = id();
        first.bind(at(Rxe.IPV4, 0));
        second.bind(at(Rxe.IPV6, 0));
        assertThat(second.context()).isSameAs(first.context());
        assertThat(second.pd()).isSameAs(first.pd());
    }

    @Test
    void bindsToAnIpv6Address() throws RdmaException {
        CmId id = id();
        id.bind(at(Rxe.IPV6, 0));
        assertThat(id.hasDevice()).isTrue();
        assertThat(id.sourceGid())
                .contains(Gid.of(id.localAddress().orElseThrow().getAddress()));
    }

    @Test
    void bindsAWildcardToNoDevice() throws RdmaException {
        CmId id = id();
        id.bind(at("0.0.0.0", 0));
        assertThat(id.localAddress().orElseThrow().getPort()).isPositive();
        assertThat(id.hasDevice()).isFalse();
        assertThatThrownBy(id::context)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not bound to an RDMA device");
    }

    @Test
    void bindsLoopbackToNoDevice() throws RdmaException {
        CmId id = id();
        id.bind(at("127.0.0.1", 0));
        assertThat(id.hasDevice()).isFalse();
    }

    @Test
    void refusesAnAddressOfAnotherMachine() throws RdmaException {
        assertRefused(id(), at("192.0.2.1", 0), Errno.EADDRNOTAVAIL);
    }

    @Test
    void refusesAnAddressOfANetdevWithoutRdma() throws Exception {
        try (Netdev plain = Netdev.dummy("plain0", "10.78.0.1/24")) {
            assertRefused(id(), at("10.78.0.1", 0), Errno.ENODEV);
            assertThat(plain.name()).isEqualTo("plain0");
        }
    }

    @Test
    void refusesAPortThatIsTaken() throws RdmaException {
        CmId first = id();
        InetSocketAddress address = Rxe.newAddress();
        first.bind(address);
        assertRefused(id(), address, Errno.EADDRINUSE);
    }

    @Test
    void refusesAWildcardOnAPortThatIsTaken() throws RdmaException {
        InetSocketAddress address = Rxe.newAddress();
        id().bind(address);
        assertRefused(id(), at("0.0.0.0", address.getPort()), Errno.EADDRNOTAVAIL);
    }

    @Test
    void bindsAgainAfterARefusal() throws RdmaException {
        CmId id = id();
        assertRefused(id, at("192.0.2.1", 0), Errno.EADDRNOTAVAIL);
        id.bind(at(Rxe.IPV4, 0));
        assertThat(id.state()).isEqualTo(CmState.BOUND);
    }

    @Test
    void givesAPortBackWhenTheIdIsClosed() throws RdmaException {
        InetSocketAddress address = Rxe.newAddress();
        CmId first = id();
        first.bind(address);
        first.close();
        id().bind(address);
    }

    @Test
    void keepsPortsOfTheTwoPortSpacesApart() throws RdmaException {
        InetSocketAddress address = Rxe.newAddress();
        id().bind(address);
        CmId datagrams = channel.createId(PortSpace.UDP);
        datagrams.bind(address);
        assertThat(datagrams.state()).isEqualTo(CmState.BOUND);
    }

    @Test
    void refusesANameWithoutAddress() throws RdmaException {
        CmId id = id();
        assertThatThrownBy(() -> id.bind(InetSocketAddress.createUnresolved("no.such.host.invalid", 1)))
                .isInstanceOf(UnresolvedNameException.class)
                .hasMessageContaining("no.such.host.invalid");
    }

    @Test
    void listensOnAPortOfTheKernelsWhenUnbound() throws RdmaException {
        CmId id = id();
        id.listen(1);
        assertThat(id.state()).isEqualTo(CmState.LISTENING);
        assertThat(id.localAddress().orElseThrow().getPort()).isPositive();
    }

    @Test
    void takesABacklogOfZeroForTheLargestAndRefusesALowerOne() throws RdmaException {
        CmId id = id();
        assertThatThrownBy(() -> id.listen(-1)).isInstanceOf(IllegalArgumentException.class);
        id.listen(0);
        id().listen(Integer.MAX_VALUE);
    }
}
