// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.UnknownServiceException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
            "broken x/tcp",
            "broken 21x/tcp",
            "broken /tcp",
            "broken 77/tcp # after lines without a port",
            "lonely");

    @ParameterizedTest
    @CsvSource({
        "echo, tcp, 7",
        "echo, udp, 7",
        "indented, tcp, 21",
        "ssh, tcp, 22",
        "secure, tcp, 22",
        "null, tcp, 9",
        "only-udp, udp, 69",
        "broken, tcp, 77"
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
    void readsAFileThatIsNotUtf8(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("services");
        Files.write(file, "echo 7/tcp # caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(ServicePorts.find(ServicePorts.lines(file), "echo", "tcp")).isEqualTo(7);
    }

    @Test
    void refusesNumbersThatAreNotPorts() {
        assertThatThrownBy(() -> ServicePorts.find("65536", "tcp")).isInstanceOf(IllegalArgumentException.class);
    }
}
