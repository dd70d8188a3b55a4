// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ComparisonTest {
    private static final Outcome GOOD = new Outcome(List.of("end: done", "5 bytes"), "", false, true);
    private static final Outcome HANGS = new Outcome(List.of("end: no thread gets on"), "stacks", true, false);
    private static final Outcome SLOW = new Outcome(List.of("end: done", "3 bytes"), "", false, false);

    private final Comparison<String> comparison = new Comparison<>("TCP", List.of("RDMA", "the other wire"));
    private final List<String> runs = new ArrayList<>();

    /** A program with the outcome that stands for its transport. */
    private Program<String> program(Outcome tcp, Outcome rdma, Outcome other) {
        Map<String, Outcome> outcomes = Map.of("TCP", tcp, "RDMA", rdma, "the other wire", other);
        return new Program<>() {
            @Override
            public Outcome run(String transport) {
                runs.add(transport);
                return Objects.requireNonNull(outcomes.get(transport));
            }

            @Override
            public List<Program<String>> smaller() {
                return List.of();
            }
        };
    }

    private Comparison.Verdict verdict(Outcome tcp, Outcome rdma, Outcome other) throws InterruptedException {
        return comparison.verdict(program(tcp, rdma, other));
    }

    @Test
    void theSameIsNoDifference() throws InterruptedException {
        assertThat(verdict(GOOD, GOOD, GOOD)).isEqualTo(new Comparison.Verdict(null, false));
    }

    @Test
    void aHangIsADifferenceAtOnceHoweverLate() throws InterruptedException {
        Comparison.Verdict verdict = verdict(GOOD, HANGS, GOOD);
        Difference difference = Objects.requireNonNull(verdict.difference());
        assertThat(difference.kind()).isEqualTo("end: done / end: no thread gets on");
        assertThat(difference.text()).contains("stacks");
        assertThat(verdict.isLeftOut()).isFalse();
        assertThat(runs).containsExactly("TCP", "RDMA");
    }

    @Test
    void aHangIsADifferenceAlsoWhereTheOtherIsSlow() throws InterruptedException {
        assertThat(verdict(SLOW, HANGS, GOOD).difference()).isNotNull();
        assertThat(verdict(HANGS, SLOW, GOOD).difference()).isNotNull();
    }

    @Test
    void whatTimeMayHaveMadeRunsAgainAndIsLeftOut() throws InterruptedException {
        assertThat(verdict(GOOD, SLOW, GOOD)).isEqualTo(new Comparison.Verdict(null, true));
        assertThat(runs).containsExactly("TCP", "RDMA", "RDMA", "RDMA", "the other wire");
    }

    @Test
    void theNextTransportIsComparedBehindOneThatIsLeftOut() throws InterruptedException {
        assertThat(verdict(GOOD, SLOW, HANGS).difference()).isNotNull();
    }

    @Test
    void slowAndTheSameIsNotLeftOut() throws InterruptedException {
        Outcome late = new Outcome(GOOD.lines(), "", false, false);
        assertThat(verdict(late, GOOD, late)).isEqualTo(new Comparison.Verdict(null, false));
    }
}
