// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.MulticastGid.SCOPE_LINK;
import static io.github.rdma4j.sm.MulticastGid.SCOPE_SITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.sm.MulticastGid.Kind;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MulticastGidTest {
    @ParameterizedTest
    @CsvSource({
        // ip_ib_mc_map of the kernel: 28 bits of the group
        "224.0.0.1,       ff12:401b:ffff:0000:0000:0000:0000:0001",
        "239.255.17.1,    ff12:401b:ffff:0000:0000:0000:0fff:1101",
        // ipv6_ib_mc_map: the last ten bytes
        "ff02::1,         ff12:601b:ffff:0000:0000:0000:0000:0001",
        "ff05:1:2:3:4:5:6:7, ff12:601b:ffff:0003:0004:0005:0006:0007",
    })
    void ipOverInfiniBand(String group, String mgid) {
        assertThat(MulticastGid.ipoib(address(group), 0xffff, SCOPE_LINK).gid()).isEqualTo(Gid.parse(mgid));
    }

    @ParameterizedTest
    @CsvSource({
        "224.0.0.1,       ff12:4001:ffff:0000:0000:0000:0000:0001",
        "239.255.17.1,    ff12:4001:ffff:0000:0000:0000:0fff:1101",
        "ff02::1,         ff12:6001:ffff:0000:0000:0000:0000:0001",
        "ff15:a01b::1,    ff15:a01b:0000:0000:0000:0000:0000:0001",
        "ff05:a01b::1,    ff12:6001:ffff:0000:0000:0000:0000:0001",
    })
    void connectionManagerOnInfiniBand(String group, String mgid) {
        assertThat(MulticastGid.rdmaCm(address(group), 0xffff, SCOPE_LINK).gid())
                .isEqualTo(Gid.parse(mgid));
    }

    @ParameterizedTest
    @CsvSource({
        "239.255.17.1,    ff0e:0000:0000:0000:0000:ffff:efff:1101, 0000:0000:0000:0000:0000:ffff:efff:1101",
        "ff15::1234,      ff15:0000:0000:0000:0000:0000:0000:1234, ff15:0000:0000:0000:0000:0000:0000:1234",
    })
    void connectionManagerOnRoce(String group, String version1, String version2) {
        assertThat(MulticastGid.roceV1(address(group)).gid()).isEqualTo(Gid.parse(version1));
        assertThat(MulticastGid.roceV2(address(group)).gid()).isEqualTo(Gid.parse(version2));
    }

    @Test
    void partitionAndScopeAreInTheMgid() {
        MulticastGid group = MulticastGid.ipoib(address("239.0.0.5"), 0x0123, SCOPE_SITE);

        assertThat(group.gid()).isEqualTo(Gid.parse("ff15:401b:8123:0000:0000:0000:0f00:0005"));
        assertThat(group.pkey()).contains(0x8123);
        assertThat(group.scope()).isEqualTo(SCOPE_SITE);
    }

    @ParameterizedTest
    @CsvSource({
        "ff12:401b:ffff:0000:0000:0000:0000:0001, IPOIB_IPV4,    224.0.0.1",
        "ff12:401b:ffff:0000:0000:0000:ffff:ffff, IPOIB_IPV4,    255.255.255.255",
        "ff12:401b:ffff:0000:0000:0000:1000:0001, IPOIB_IPV4,    ",
        "ff12:401b:ffff:0001:0000:0000:0000:0001, IPOIB_IPV4,    ",
        "ff12:601b:ffff:0000:0000:0000:0000:0001, IPOIB_IPV6,    ",
        "ff12:4001:ffff:0000:0000:0000:0fff:1101, RDMA_CM_IPV4,  239.255.17.1",
        "ff12:6001:ffff:0000:0000:0000:0000:0001, RDMA_CM_IPV6,  ",
        "ff12:a01b:fe80:0000:0000:0000:0000:0001, SA_ASSIGNED,   ",
        "ff02:a01b:fe80:0000:0000:0000:0000:0001, OTHER,         ",
        "ff0e:0000:0000:0000:0000:ffff:efff:1101, ROCE_V1_IPV4,  239.255.17.1",
        "0000:0000:0000:0000:0000:ffff:efff:1101, ROCE_V2_IPV4,  239.255.17.1",
        "0000:0000:0000:0000:0000:ffff:0a00:0001, NOT_MULTICAST, ",
        "fe80:0000:0000:0000:0002:c903:00a0:0001, NOT_MULTICAST, ",
        "ff15:0000:0000:0000:0000:0000:0000:1234, OTHER,         ",
    })
    void kindsOfMgids(String mgid, Kind kind, String group) {
        MulticastGid parsed = new MulticastGid(Gid.parse(mgid));
        assertThat(parsed.kind()).isEqualTo(kind);
        assertThat(parsed.ipv4Group().map(InetAddress::getHostAddress).orElse(null))
                .isEqualTo(group);
    }

    @Test
    void theBroadcastGroupHasAllThirtyTwoBits() {
        assertThat(MulticastGid.ipoibBroadcast(0x7fff, SCOPE_LINK).toString())
                .isEqualTo("ff12:401b:ffff:0000:0000:0000:ffff:ffff (255.255.255.255)");
    }

    @Test
    void mapsEveryIpv4GroupBack() {
        for (int low = 0; low < 1 << 28; low += 65_537) {
            InetAddress group = new MulticastGid(new Gid(0, 0xffff_e000_0000L | low))
                    .ipv4Group()
                    .orElseThrow();
            assertThat(MulticastGid.ipoib(group, 0xffff, SCOPE_LINK).ipv4Group())
                    .contains(group);
            assertThat(MulticastGid.rdmaCm(group, 0xffff, SCOPE_LINK).ipv4Group())
                    .contains(group);
        }
    }

    @Test
    void rejectsAnAddressThatIsNotAGroup() {
        InetAddress host = address("10.0.0.1");
        assertThatThrownBy(() -> MulticastGid.ipoib(host, 0xffff, SCOPE_LINK))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "10.0.0.1 is not a multicast address: groups are 224.0.0.0 to 239.255.255.255 and ff00::/8");
        assertThatThrownBy(() -> MulticastGid.roceV2(host)).isInstanceOf(IllegalArgumentException.class);
        InetAddress group = address("224.0.0.1");
        assertThatThrownBy(() -> MulticastGid.rdmaCm(group, 0x10000, SCOPE_LINK))
                .hasMessage("pkey is 0x10000; it must be from 0 to 0xffff");
        assertThatThrownBy(() -> MulticastGid.rdmaCm(group, 0xffff, 0)).hasMessageContaining("scope");
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
