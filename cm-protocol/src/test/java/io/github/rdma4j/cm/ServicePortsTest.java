// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.UnknownServiceException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServicePortsTest {
    private static final List<String> SERVICES = List.of(
            "# well known",
            "",
            "echo\t\t7/tcp",
            "echo\t\t7/udp",
            "   indented  21/tcp",
            "ssh 22/tcp shell secure # commented-out",
            "discard 9/tcp sink null",
            "only-udp 69/udp",
            "lonely");

    @ParameterizedTest
    @CsvSource({
        "echo, tcp, 7",
        "echo, udp, 7",
        "indented, tcp, 21",
        "ssh, tcp, 22",
        "secure, tcp, 22",
        "null, tcp, 9",
        "only-udp, udp, 69"
    })
    void findsANameOrAnotherNameOfTheProtocol(String service, String protocol, int port) throws Exception {
        assertThat(ServicePorts.find(SERVICES, service, protocol)).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"only-udp", "commented-out", "lonely", "#", "well", "22/tcp", "", "Echo"})
    void findsNothingElse(String service) {
        assertThatThrownBy(() -> ServicePorts.find(SERVICES, service, "tcp"))
                .isInstanceOf(UnknownServiceException.class)
                .hasMessageContaining("tcp")
                .hasMessageContaining(service);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "7174, 7174", "00080, 80", "65535, 65535"})
    void takesNumbersAsTheyAre(String service, int port) throws Exception {
        assertThat(ServicePorts.find(service, "tcp")).isEqualTo(port);
    }

    @Test
    void refusesNumbersThatAreNotPorts() {
        assertThatThrownBy(() -> ServicePorts.find("65536", "tcp")).isInstanceOf(IllegalArgumentException.class);
    }
}
