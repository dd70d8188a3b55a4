// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import static io.github.rdma4j.support.PoisonedBuffer.encoded;
import static io.github.rdma4j.support.PoisonedBuffer.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Draw;
import io.github.rdma4j.support.PoisonedBuffer;
import io.github.rdma4j.support.Seeds;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SockAddrTest {
    @Test
    void encodesIpv4() throws UnknownHostException {
        InetSocketAddress address = address(0x1e61, 0, 192, 168, 1, 2);
        assertThat(encoded(
                        16,
                        (out, base) ->
                                assertThat(SockAddr.encode(out, base, address)).isEqualTo(16)))
                .isEqualTo(hex(
                        "0200", // sin_family
                        "1e61", // sin_port
                        "c0a80102", // sin_addr
                        "00000000 00000000")); // sin_zero
    }

    @Test
    void encodesIpv6WithItsScope() throws UnknownHostException {
        InetSocketAddress address =
                address(0x1e61, 3, 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0xb4, 0xd2, 0x24, 0xff, 0xfe, 0x16, 0x98, 0xa4);
        assertThat(encoded(
                        28,
                        (out, base) ->
                                assertThat(SockAddr.encode(out, base, address)).isEqualTo(28)))
                .isEqualTo(hex(
                        "0a00", // sin6_family
                        "1e61", // sin6_port
                        "00000000", // sin6_flowinfo
                        "fe800000 00000000 b4d224ff fe1698a4", // sin6_addr
                        "03000000")); // sin6_scope_id
    }

    @Test
    void keepsTheScope() throws UnknownHostException {
        ByteBuffer buffer = buffer();
        int size = SockAddr.encode(buffer, 4, address(1, 7, 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1));
        Inet6Address decoded = (Inet6Address) decode(buffer, size).getAddress();
        assertThat(decoded.getScopeId()).isEqualTo(7);
    }

    @Test
    void keepsAMappedAddressInIpv6() {
        ByteBuffer in = PoisonedBuffer.of(
                "a5a5a5a5",
                "0a00 0001 00000000", // family, port, flowinfo
                "00000000 00000000 0000ffff c0a80102", // sin6_addr
                "00000000"); // sin6_scope_id
        assertThat(decode(in, 28).getAddress()).isInstanceOf(Inet6Address.class);
    }

    @Test
    void readsNoAddressFromNoBytes() {
        assertThat(SockAddr.decode(ByteBuffer.allocate(0), 0, 0)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"2, 15", "2, 28", "10, 16", "10, 27", "27, 28", "0, 16", "2, -1"})
    void refusesOtherFamiliesAndSizes(int family, int size) {
        ByteBuffer in = buffer().putShort(4, (short) family);
        assertThatThrownBy(() -> SockAddr.decode(in, 4, size))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("family " + family)
                .hasMessageContaining("offset 4");
    }

    @Test
    void refusesAnUnresolvedName() {
        InetSocketAddress address = InetSocketAddress.createUnresolved("host.invalid", 1);
        assertThatThrownBy(() -> SockAddr.encode(buffer(), 0, address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host.invalid");
    }

    @ParameterizedTest
    @Seeds
    void survivesIpv4(long seed) {
        Cases.run(seed, 1_000, random -> {
            byte[] ip = Draw.bytes(random, 4);
            int port = Draw.within(random, 0, 0xffff);
            survives(new InetSocketAddress(InetAddress.getByAddress(ip), port));
        });
    }

    @ParameterizedTest
    @Seeds
    void survivesIpv6(long seed) {
        Cases.run(seed, 1_000, random -> {
            byte[] ip = Draw.bytes(random, 16);
            int scope = Draw.within(random, 0, Integer.MAX_VALUE);
            int port = Draw.within(random, 0, 0xffff);
            survives(new InetSocketAddress(Inet6Address.getByAddress(null, ip, scope), port));
        });
    }

    private static void survives(InetSocketAddress address) {
        ByteBuffer buffer = buffer();
        int size = SockAddr.encode(buffer, 4, address);
        assertThat(decode(buffer, size)).isEqualTo(address);
    }

    private static InetSocketAddress decode(ByteBuffer in, int size) {
        return (InetSocketAddress) Objects.requireNonNull(SockAddr.decode(in, 4, size));
    }

    private static InetSocketAddress address(int port, int scope, int... octets) throws UnknownHostException {
        byte[] ip = new byte[octets.length];
        for (int i = 0; i < ip.length; i++) {
            ip[i] = (byte) octets[i];
        }
        return new InetSocketAddress(
                ip.length == 4 ? InetAddress.getByAddress(ip) : Inet6Address.getByAddress(null, ip, scope), port);
    }

    private static ByteBuffer buffer() {
        return ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    }
}
