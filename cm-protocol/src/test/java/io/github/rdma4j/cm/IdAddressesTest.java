// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.verbs.attr.Gid;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

class IdAddressesTest {
    private static final long PORT_LEFT_OPEN = ~0xffffL;

    private static InetSocketAddress linkLocal(int scope, int port) throws Exception {
        byte[] address = InetAddress.getByName("fe80::1").getAddress();
        return new InetSocketAddress(Inet6Address.getByAddress(null, address, scope), port);
    }

    private static IbSocketAddress ib(long interfaceId, long serviceId, long mask) {
        return new IbSocketAddress(0xffff, new Gid(0, interfaceId), serviceId, mask, 0);
    }

    private static void use(SocketAddress bound, SocketAddress source) {
        IdAddresses addresses = new IdAddresses();
        addresses.local(bound);
        addresses.requireMayUse(source);
    }

    private static void assertRefused(SocketAddress bound, SocketAddress source) {
        assertThatThrownBy(() -> use(bound, source))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot resolve from");
    }

    @Test
    void aSourceMayLeaveThePortAndTheScopeOpen() throws Exception {
        use(linkLocal(2, 5), linkLocal(2, 5));
        use(linkLocal(2, 5), linkLocal(2, 0));
        use(linkLocal(2, 5), linkLocal(0, 0));
    }

    @Test
    void aSourceOfAnotherScopeIsAnotherAddress() throws Exception {
        assertRefused(linkLocal(2, 5), linkLocal(1, 5));
        assertRefused(linkLocal(2, 5), linkLocal(1, 0));
    }

    @Test
    void anInfiniBandSourceMayLeaveThePortOpen() {
        IbSocketAddress bound = ib(1, 0x0106_1389L, -1);
        use(bound, bound);
        use(bound, ib(1, 0x0106_0000L, PORT_LEFT_OPEN));
        use(bound, ib(1, 0x0106_0000L, -1));
        assertRefused(bound, ib(1, 0x0106_1388L, -1));
        assertRefused(bound, ib(1, 0x0111_0000L, PORT_LEFT_OPEN));
        assertRefused(bound, ib(2, 0x0106_0000L, PORT_LEFT_OPEN));
    }

    @Test
    void groupsOfTwoScopesAreTwoGroups() throws Exception {
        assertThat(linkLocal(1, 5)).isEqualTo(linkLocal(2, 5)); // for the JDK, but not for the kernel
        assertThat(IdAddresses.isSame(linkLocal(1, 5), linkLocal(2, 5))).isFalse();
        assertThat(IdAddresses.isSame(linkLocal(2, 5), linkLocal(2, 5))).isTrue();
        assertThat(IdAddresses.isSame(linkLocal(2, 5), linkLocal(2, 6))).isFalse();
    }
}
