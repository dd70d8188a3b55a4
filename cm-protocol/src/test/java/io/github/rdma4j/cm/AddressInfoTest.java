// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.AddressInfo.Family;
import io.github.rdma4j.cm.AddressInfo.Hints;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressInfoTest {
    private static AddressInfo only(String host, String service, Hints hints) throws IOException {
        return only(AddressInfo.resolve(host, service, hints));
    }

    private static AddressInfo only(List<AddressInfo> answers) {
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    private static SocketAddress at(String host, int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(host), port);
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.7, 7174", "2001:db8::7, 0", "::ffff:192.0.2.7, 65535"})
    void findsAnAddressAndAPort(String host, int port) throws Exception {
        AddressInfo info = only(
                host, Integer.toString(port), Hints.builder().numericHost(true).build());
        assertThat(info.destination()).contains(at(host, port));
        assertThat(info.source()).isEmpty();
        assertThat(info.isPassive()).isFalse();
        assertThat(info.portSpace()).isEqualTo(PortSpace.TCP);
        assertThat(info.type()).isEqualTo(QueuePairType.RC);
        assertThat(info.paths()).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void aHostThatIsNullNamesTheAlternative() {
        assertThatThrownBy(() -> AddressInfo.resolve(null, "7", AddressInfo.Hints.DEFAULT))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("resolveService");
    }

    @Test
    void isALocalAddressForAPassiveUse() throws Exception {
        AddressInfo info = only(
                "192.0.2.7",
                "1",
                Hints.builder().passive(true).source(at("192.0.2.8", 2)).build());
        assertThat(info.isPassive()).isTrue();
        assertThat(info.source()).contains(at("192.0.2.7", 1));
        assertThat(info.destination()).isEmpty();
        assertThat(info).hasToString("AddressInfo[TCP at /192.0.2.7:1]");
    }

    @Test
    void keepsTheSourceOfTheHintsForAnActiveUse() throws Exception {
        AddressInfo info = only(AddressInfo.resolveHost(
                "192.0.2.7", Hints.builder().source(at("192.0.2.8", 2)).build()));
        assertThat(info.source()).contains(at("192.0.2.8", 2));
        assertThat(info.destination()).contains(at("192.0.2.7", 0));
        assertThat(info).hasToString("AddressInfo[TCP to /192.0.2.7:0]");
    }

    @ParameterizedTest
    @CsvSource({"true, IPV4, 0.0.0.0", "true, IPV6, ::", "false, IPV4, 127.0.0.1", "false, IPV6, ::1"})
    void meansThisHostWithoutAName(boolean passive, Family family, String expected) throws Exception {
        Hints hints = Hints.builder().passive(passive).family(family).build();
        AddressInfo info = only(AddressInfo.resolveService("7174", hints));
        assertThat(passive ? info.source() : info.destination()).contains(at(expected, 7174));
    }

    @Test
    void thisHostHasAddressesOfBothFamilies() throws Exception {
        Hints passive = Hints.builder().passive(true).build();
        assertThat(AddressInfo.resolveService("7174", passive))
                .extracting(info -> info.source().orElseThrow())
                .containsExactly(at("0.0.0.0", 7174), at("::", 7174));
        assertThat(AddressInfo.resolveService("7174", Hints.builder().build()))
                .extracting(info -> info.destination().orElseThrow())
                .containsExactly(at("127.0.0.1", 7174), at("::1", 7174));
    }

    @Test
    void looksUpNames() throws Exception {
        AddressInfo info = AddressInfo.resolve(
                        "localhost", "5", Hints.builder().family(Family.IPV4).build())
                .get(0);
        assertThat(info.destination()).contains(at("127.0.0.1", 5));
    }

    @Test
    void refusesAFamilyThatTheHostHasNoAddressOf() {
        assertThatThrownBy(() -> AddressInfo.resolve(
                        "192.0.2.7", "1", Hints.builder().family(Family.IPV6).build()))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("192.0.2.7")
                .hasMessageContaining("IPV6");
        assertThatThrownBy(() -> AddressInfo.resolve(
                        "::1", "1", Hints.builder().family(Family.IPV4).build()))
                .isInstanceOf(UnknownHostException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "", "192.0.2", "192.0.2.256", "0300.1.1.1", "1.2.3.4.5", "[::1]"})
    void asksNoNameServiceForANumericHost(String host) {
        assertThatThrownBy(() -> AddressInfo.resolve(
                        host, "1", Hints.builder().numericHost(true).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a numeric address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1::2::3", ":", "fe80::1%no-such-interface"})
    void findsNoAddressInWhatOnlyLooksLikeOne(String host) {
        assertThatThrownBy(() -> AddressInfo.resolve(
                        host, "1", Hints.builder().numericHost(true).build()))
                .isInstanceOf(UnknownHostException.class);
    }

    @Test
    void refusesAHostWithoutAName() {
        assertThatThrownBy(() -> AddressInfo.resolve("", "1", Hints.DEFAULT)).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void hintsAreKeptByACopyThatChangesOneHint() throws Exception {
        Hints hints = Hints.builder()
                .family(Family.IPV4)
                .numericHost(true)
                .portSpace(PortSpace.IB)
                .type(QueuePairType.UC)
                .build();
        AddressInfo info =
                only("192.0.2.7", "1", hints.toBuilder().passive(true).build());
        assertThat(info.isPassive()).isTrue();
        assertThat(info.portSpace()).isEqualTo(PortSpace.IB);
        assertThat(info.type()).isEqualTo(QueuePairType.UC);
    }

    @ParameterizedTest
    @ValueSource(strings = {"65536", "123456", "99999999999999999999"})
    void refusesAPortThatIsNone(String service) {
        assertThatThrownBy(() -> AddressInfo.resolve("192.0.2.7", service, Hints.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(service);
    }

    @Test
    void takesTheTypeOfThePortSpace() throws Exception {
        AddressInfo datagrams =
                only("192.0.2.7", "1", Hints.builder().portSpace(PortSpace.UDP).build());
        assertThat(datagrams.type()).isEqualTo(QueuePairType.UD);
        AddressInfo any = only(
                "192.0.2.7",
                "1",
                Hints.builder().portSpace(PortSpace.IB).type(QueuePairType.UC).build());
        assertThat(any.type()).isEqualTo(QueuePairType.UC);
        assertThatThrownBy(() -> Hints.builder().type(QueuePairType.UD).build())
                .isInstanceOf(IllegalArgumentException.class);
    }
}
