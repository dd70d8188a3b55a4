// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.internal.rsocket.ConnectClock;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is remembered of attempts over RDMA, and what is told. */
class RoutesTest {
    private static final Path EXISTS = Path.of("/");
    private static final InetSocketAddress PEER = new InetSocketAddress("10.77.0.9", 7000);
    private static final InetSocketAddress OTHER_PORT = new InetSocketAddress("10.77.0.9", 7001);
    private static final InetSocketAddress OTHER_PEER = new InetSocketAddress("10.77.0.8", 7000);
    private static final Refusal SILENT = Refusal.late(ConnectClock.Wait.ANSWER, Duration.ofSeconds(5));

    private final Routes routes = new Routes(Rules.parse("a test"), EXISTS);

    @AutoClose
    private final ToldOfNio log = new ToldOfNio();

    private final List<String> told = log.lines();

    private boolean asksRdma(InetSocketAddress peer) {
        return routes.to(peer, null).rdma() != null;
    }

    private static Refusal refusal(CmEventType type, int status) {
        return Refusal.of(type, status, "what the kernel says");
    }

    @Test
    void aSilentAddressGoesOverTcpWithAllItsPortsAndIsToldOnce() {
        assertThat(asksRdma(PEER)).isTrue();
        routes.fellBack(PEER, SILENT);
        assertThat(asksRdma(PEER)).isFalse();
        assertThat(routes.to(OTHER_PORT, null).reason()).isEqualTo("no answer over RDMA within 5 s");
        assertThat(asksRdma(OTHER_PEER)).isTrue();
        routes.fellBack(OTHER_PORT, SILENT);
        assertThat(told)
                .containsExactly("10.77.0.9:7000 goes over TCP for 60 s: no answer over RDMA within 5 s; the rule "
                        + "'fallback none' forbids this");
    }

    @Test
    void aPortThatIsRefusedGoesOverTcpByItself() {
        routes.fellBack(PEER, refusal(CmEventType.REJECTED, 8));
        assertThat(asksRdma(PEER)).isFalse();
        assertThat(asksRdma(OTHER_PORT)).isTrue();
        routes.fellBack(OTHER_PORT, refusal(CmEventType.REJECTED, 8));
        assertThat(told).hasSize(2).allMatch(line -> line.contains(" goes over TCP for 10 s: refused over RDMA: "));
    }

    @ParameterizedTest
    @CsvSource({"ADDR_ERROR, -19", "ROUTE_ERROR, -110", "REJECTED, 28"})
    void whatWasNotAskedOrMayBeAcceptedLaterIsNotRemembered(CmEventType type, int status) {
        routes.fellBack(PEER, refusal(type, status));
        routes.fellBack(OTHER_PORT, refusal(type, status));
        assertThat(asksRdma(PEER)).isTrue();
        assertThat(told).hasSize(1).allMatch(line -> line.endsWith("(said once for this address)"));
        routes.fellBack(OTHER_PEER, refusal(type, status));
        assertThat(told).as("another address").hasSize(2);
    }

    @Test
    void eachKindIsToldOfAnAddress() {
        routes.fellBack(PEER, refusal(CmEventType.ADDR_ERROR, -19));
        routes.fellBack(PEER, refusal(CmEventType.REJECTED, 28));
        assertThat(told).hasSize(2);
    }

    @Test
    void anAddressThatWasNotResolvedIsNotRemembered() {
        routes.fellBack(PEER, Refusal.late(ConnectClock.Wait.RESOLVING, Duration.ofSeconds(5)));
        assertThat(asksRdma(PEER)).isTrue();
    }

    @Test
    void aLateAnswerEndsTheMemoryOfSilence() {
        routes.fellBack(PEER, SILENT);
        routes.answeredOverRdma(PEER, null);
        assertThat(asksRdma(OTHER_PORT)).isTrue();
        routes.fellBack(PEER, SILENT);
        routes.answeredOverRdma(PEER, refusal(CmEventType.REJECTED, 8));
        assertThat(asksRdma(PEER)).isFalse();
        assertThat(asksRdma(OTHER_PORT)).isTrue();
    }

    @Test
    void aChannelThatIsGivenUpWhileThePeerIsSilentSparesTheNextTheWait() {
        routes.gaveUp(PEER, Duration.ofMillis(499));
        assertThat(asksRdma(PEER)).isTrue();
        assertThat(told).isEmpty();
        routes.gaveUp(PEER, Duration.ofMillis(500));
        assertThat(asksRdma(PEER)).isFalse();
        assertThat(told)
                .containsExactly("10.77.0.9:7000 goes over TCP for 60 s: no answer over RDMA within 500 ms; the rule "
                        + "'fallback none' forbids this");
    }

    @Test
    void aMachineWithoutRdmaIsToldOfOnce() {
        Routes without = new Routes(Rules.parse("a test"), Path.of("/no/such/node"));
        assertThat(without.to(PEER, null).reason()).isEqualTo("this machine has no RDMA");
        assertThat(without.to(PEER, null).rdma()).isNull();
        assertThat(told)
                .containsExactly("all connections go over TCP: there is no /no/such/node; load the kernel's module "
                        + "rdma_ucm");
    }
}
