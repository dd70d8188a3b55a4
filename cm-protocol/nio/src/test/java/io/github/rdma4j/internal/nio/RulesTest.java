// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.rdma4j.nio.RdmaSelectorProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesTest {
    @TempDir
    private Path folder;

    @AfterEach
    void clear() {
        System.clearProperty(Rules.PROPERTY);
    }

    private static Rules of(String property) {
        System.setProperty(Rules.PROPERTY, property);
        return Rules.ofProperty();
    }

    @Test
    void withoutRulesEverythingMayGoEitherWayAndLoopbackGoesOverTcp() throws IOException {
        Rules rules = Rules.ofProperty();
        assertThat(rules.way(InetAddress.getByName("10.0.0.1"), 80)).isEqualTo(Rules.Way.BOTH);
        assertThat(rules.fallback()).isTrue();
        assertThat(rules.loopback()).isNull();
        assertThat(rules.patience()).hasSeconds(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\n"})
    void aPropertyWithoutARuleIsRefused(String empty) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(empty))
                .withMessageStartingWith(
                        "the property io.github.rdma4j.nio.rules is empty; leave it out for the rule 'both *'");
    }

    /** The JDK makes an Error without a message of what the constructor of a provider throws. */
    @Test
    void aWrongRuleIsToldWhenTheFirstChannelIsOpened() throws IOException {
        System.setProperty(Rules.PROPERTY, "rdam *");
        RdmaSelectorProvider provider = new RdmaSelectorProvider();
        assertThat(provider).asString().contains("rdam");
        for (ThrowingCallable opening : List.<ThrowingCallable>of(
                provider::openSocketChannel,
                provider::openSelector,
                provider::openPipe,
                provider::openDatagramChannel)) {
            assertThatIllegalArgumentException().isThrownBy(opening).withMessageContaining("rdam");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, 80, RDMA",
        "10.1.255.255, 80, RDMA",
        "10.2.0.0, 80, BOTH",
        "10.1.2.3, 22, TCP",
        "10.9.9.9, 22, TCP",
        "10.129.0.1, 9000, RDMA",
        "10.128.0.1, 9010, RDMA",
        "10.127.0.1, 9010, BOTH",
        "10.129.0.1, 9011, BOTH",
        "fd00::1, 80, TCP",
        "fd01::1, 80, BOTH"
    })
    void theFirstRuleThatFitsCounts(String address, int port, Rules.Way way) throws IOException {
        Path file = Files.writeString(folder.resolve("rules"), """
                # ssh
                tcp * 22

                RDMA 10.1.0.0/16 # all
                rdma 10.128.0.0/9 9000-9010
                tcp fd00::/16 *
                """);
        assertThat(of(file.toString()).way(InetAddress.getByName(address), port))
                .isEqualTo(way);
    }

    @Test
    void theOtherLinesSetWhatIsForAll() throws IOException {
        Rules rules = of("fallback none; loopback 127.0.0.1; wait 250ms");
        assertThat(rules.fallback()).isFalse();
        assertThat(rules.loopback()).isEqualTo(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        assertThat(rules.patience()).hasMillis(250);
        assertThat(of("wait 600s").patience()).hasMinutes(10);
        assertThat(of("loopback tcp").loopback()).isNull();
        assertThat(of("fallback tcp").fallback()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tcp *; rdam 10.0.0.1 | line 2 of the property io.github.rdma4j.nio.rules: 'rdam' begins no rule; a rule is "
                        + "'rdma', 'tcp' or 'both' with",
                "rdma | 'rdma' needs an address, such as 10.1.0.0/16 or *",
                "rdma * 1 2 | may have a port or ports",
                "rdma host.example | 'host.example' is not an address of IPv4 or IPv6 in numbers",
                "rdma 10.0.0.256 | '10.0.0.256' is not an address",
                "rdma 10.0.0.0/33 | '33' is not a prefix of this address, which is a number from 0 to 32",
                "tcp * 65536 | '65536' is not a port, which is a number from 0 to 65535",
                "tcp * 20-10 | the ports 20-10 end before they begin",
                "tcp * x | 'x' is not a port",
                "fallback rdma | 'fallback rdma' must be 'fallback tcp' or 'fallback none'",
                "loopback | 'loopback' has 0 words after it, and must have 1",
                "loopback eth0 | 'eth0' is not an address",
                "loopback 192.0.2.9 | '192.0.2.9' is no address of this machine; 'loopback' needs the address of a device",
                "wait | 'wait' has 0 words after it, and must have 1",
                "wait 5 | '5' is not a time to wait, which is a number with 's' or 'ms', such as 5s or 500ms, from 1ms to 600s",
                "wait 0s | '0s' is not a time",
                "wait 601s | '601s' is not a time",
                "wait forever | 'forever' is not a time"
            })
    void aWrongRuleIsRefusedWithItsLineAndWhatItMayBe(String property, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> of(property)).withMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/no/such/file", "rdna"})
    void aFileThatCannotBeReadIsNamed(String path) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(path))
                .withMessageContaining("is '" + path + "', which is neither a rule")
                .withMessageContaining("nor a file that can be read");
    }
}
