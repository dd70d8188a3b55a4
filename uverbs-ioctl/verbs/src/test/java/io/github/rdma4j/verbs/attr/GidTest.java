// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Draw;
import io.github.rdma4j.support.Seeds;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GidTest {
    @Test
    void mapsIpv4() throws UnknownHostException {
        InetAddress address = InetAddress.getByAddress(new byte[] {(byte) 239, 1, 2, 3});
        Gid gid = Gid.of(address);
        assertThat(gid).hasToString("0000:0000:0000:0000:0000:ffff:ef01:0203");
        assertThat(gid.isV4Mapped()).isTrue();
        assertThat(gid.toAddress()).isInstanceOf(Inet4Address.class).isEqualTo(address);
    }

    @Test
    void keepsIpv6() throws UnknownHostException {
        InetAddress address = InetAddress.getByName("2001:db8::ffff:102:304");
        Gid gid = Gid.of(address);
        assertThat(gid).isEqualTo(new Gid(0x2001_0db8_0000_0000L, 0x0000_ffff_0102_0304L));
        assertThat(gid.isV4Mapped()).isFalse();
        assertThat(gid.toAddress()).isEqualTo(address);
    }

    @Test
    void isZeroInAnEmptySlot() {
        assertThat(Gid.parse("0000:0000:0000:0000:0000:0000:0000:0000").isZero())
                .isTrue();
        assertThat(new Gid(0, 1).isZero()).isFalse();
        assertThat(new Gid(1, 0).isZero()).isFalse();
        assertThat(new Gid(0, 0).isV4Mapped()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "fe80::1",
                "fe80:0000:0000:0000:b4d2:24ff:fe16",
                "fe80:0000:0000:0000:b4d2:24ff:fe16:98a4:",
                "fe80:0000:0000:0000:b4d2:24ff:fe16:98g4",
                "fe80:0000:0000:0000:b4d2:24ff:fe16:+8a4",
                "fe80:0000:0000:0000:b4d2:24ff:fe16:098a4"
            })
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> Gid.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @Seeds
    void survivesTextAndAddress(long seed) {
        Cases.run(seed, 1_000, random -> {
            long prefix = Draw.anyLong(random);
            long interfaceId = Draw.anyLong(random);
            Gid gid = new Gid(prefix, interfaceId);
            assertThat(Gid.parse(gid.toString())).isEqualTo(gid);
            assertThat(Gid.of(gid.toAddress())).isEqualTo(gid);
        });
    }
}
