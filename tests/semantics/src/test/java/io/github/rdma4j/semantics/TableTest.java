// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The committed tables are whole. */
class TableTest {
    static List<String> series() {
        return Tables.SERIES;
    }

    @ParameterizedTest
    @MethodSource("series")
    void hasEveryCommandInEverySituation(String series) {
        Table table = Table.committed(series);
        List<String> missing = new ArrayList<>();
        for (Situation situation : Situation.values()) {
            for (Command command : Command.values()) {
                if (table.at(situation, command).isEmpty()) {
                    missing.add(command + " in " + situation);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("series")
    void isOfTheKernelsThatItIsNamedAfter(String series) {
        assertThat(Table.series(Table.committed(series).release())).isEqualTo(series);
    }

    @Test
    void readsWhatItWrites() {
        Table table = new Table("6.1.0-1-test");
        table.add(Situation.BOUND, Command.LISTEN, new Observation("OK", "-", "ESTABLISHED", "TIMEWAIT_EXIT"));
        table.add(Situation.BOUND, Command.LISTEN, new Observation("EINVAL", "-", "-", "-"));
        table.add(Situation.IDLE, Command.BIND, new Observation("OK", "ADDR_ERROR(-110)", "-", "-"));
        Table read = Table.parse(table.toLines());
        assertThat(read.toLines()).isEqualTo(table.toLines());
        assertThat(read.situations()).containsExactly(Situation.IDLE, Situation.BOUND);
        assertThat(read.at(Situation.BOUND, Command.LISTEN))
                .containsExactlyElementsOf(table.at(Situation.BOUND, Command.LISTEN));
        assertThat(read.release()).isEqualTo("6.1.0-1-test");
    }
}
