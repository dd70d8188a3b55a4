// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class IpCmHeaderTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final String IPV4 = "0040b8c9" + "00".repeat(12) + "0a4d0001" + "00".repeat(12) + "0a4d0002";
    private static final String IPV6 =
            "0060b8c9" + "fd77" + "00".repeat(13) + "01" + "00".repeat(10) + "ffff0a4d0002"; // mapped, and stays so

    private static IpCmHeader ipv4() throws Exception {
        return new IpCmHeader(new InetSocketAddress("10.77.0.1", 0xb8c9), InetAddress.getByName("10.77.0.2"));
    }

    @Test
    void readsAddressesOfIpv4() throws Exception {
        assertThat(IpCmHeader.decode(HEX.parseHex(IPV4 + "aabb"))).isEqualTo(ipv4());
    }

    @Test
    void readsAddressesOfIpv6() {
        IpCmHeader header = IpCmHeader.decode(HEX.parseHex(IPV6));
        assertThat(header.source()).isEqualTo(new InetSocketAddress("fd77::1", 0xb8c9));
        assertThat(header.destination().getAddress()).hasSize(16);
    }

    @Test
    void writesWhatItReads() throws Exception {
        byte[] said = "hello".getBytes(StandardCharsets.US_ASCII);
        assertThat(HEX.formatHex(ipv4().prependTo(said))).isEqualTo(IPV4 + HEX.formatHex(said));
        assertThat(HEX.formatHex(IpCmHeader.decode(HEX.parseHex(IPV6)).prependTo(new byte[0])))
                .isEqualTo(IPV6);
    }

    @Test
    void refusesAnInvalidHeader() {
        assertThatThrownBy(() -> IpCmHeader.decode(new byte[35]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("35 bytes");
        assertThatThrownBy(() -> IpCmHeader.decode(HEX.parseHex(IPV4.replaceFirst("0040", "0140"))))
                .hasMessageContaining("version 1");
        assertThatThrownBy(() -> IpCmHeader.decode(HEX.parseHex(IPV4.replaceFirst("0040", "0050"))))
                .hasMessageContaining("IP version 5");
    }

    @Test
    void refusesAddressesOfTwoFamilies() {
        assertThatThrownBy(
                        () -> new IpCmHeader(new InetSocketAddress("10.77.0.1", 1), InetAddress.getByName("fd77::1")))
                .hasMessageContaining("two families");
    }
}
