// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuiteTest {
    @Test
    void namesEveryBenchAndRowOnce() {
        assertThat(Suite.plans()).extracting(BenchPlan::name).doesNotHaveDuplicates();
        assertThat(Suite.plans().stream().flatMap(plan -> plan.rows().stream()).map(Row::name))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z0-9_]+"));
    }

    @Test
    void choosesByWholeWords() {
        BenchPlan thousand = plan("connect_1000");
        BenchPlan more = plan("connect_10000");

        assertThat(thousand.isAmong(List.of("connect_1000"))).isTrue();
        assertThat(more.isAmong(List.of("connect_1000"))).isFalse();
        assertThat(more.isAmong(List.of("start", "connect"))).isTrue();
        assertThat(more.isAmong(List.of())).isTrue();
    }

    private static BenchPlan plan(String name) {
        return Suite.plans().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void knowsWhichSideOfAnAimIsGood() {
        assertThat(Samples.LATENCY.isMetBy(1.05)).isTrue();
        assertThat(Samples.LATENCY.isMetBy(1.051)).isFalse();
        assertThat(Samples.RATE.isMetBy(0.95)).isTrue();
        assertThat(Samples.RATE.isMetBy(0.949)).isFalse();
        assertThat(Samples.SHOWN.isMetBy(100)).isTrue();
    }
}
