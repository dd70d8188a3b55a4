// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.channels.Comparison;
import io.github.rdma4j.channels.Outcome;
import io.github.rdma4j.channels.Program;
import io.github.rdma4j.support.Nightly;
import java.net.InetAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A channel that hangs at its end. */
class NioRunTest {
    private static final int FEW_LOOKS = 20;

    private static Transport transport(SelectorProvider provider) {
        return new Transport("TCP", provider, InetAddress.getLoopbackAddress(), List.of());
    }

    @Nightly
    @ParameterizedTest
    @EnumSource
    void aHangOfTheEndIsADifference(HangingProvider.Where where) throws InterruptedException {
        End end = new End(where == HangingProvider.Where.CLOSE, End.How.CLOSE, 100, 0, 0, -1, false, false);
        NioProgram program = new NioProgram(List.of(0, 0, 0, 0), false, false, List.of(), end);
        Comparison<Transport> comparison = new Comparison<>(
                transport(SelectorProvider.provider()), List.of(transport(new HangingProvider(where))));
        Comparison.Verdict verdict = comparison.verdict(new Program<>() {
            @Override
            public Outcome run(Transport transport) throws InterruptedException {
                return new NioRun(program, transport, FEW_LOOKS).run();
            }

            @Override
            public List<NioProgram> smaller() {
                return List.of();
            }
        });
        assertThat(Objects.requireNonNull(verdict.difference()).text()).contains("end: no thread gets on");
    }
}
