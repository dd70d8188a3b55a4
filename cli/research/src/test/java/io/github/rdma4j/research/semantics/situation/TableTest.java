// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
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

    @Test
    void keepsBehavioursInTheOrderOfTheirNumbers() {
        Table table = new Table("6.1.0-1-test");
        table.put("S4", "two; three");
        table.put("C27", "one");
        table.put("C4", "zero");
        Table read = Table.parse(table.toLines());
        assertThat(read.behaviours()).containsExactly("C4", "C27", "S4");
        assertThat(read.behaviour("S4")).contains("two; three");
        assertThat(read.toLines()).isEqualTo(table.toLines());
    }

    @Test
    void updatesCellsThatWereRecordedAgain() {
        Table old = new Table("6.1.0-1-test");
        old.add(Situation.BOUND, Command.LISTEN, new Observation("OK", "-", "-", "-"));
        old.add(Situation.BOUND, Command.BIND, new Observation("EINVAL", "-", "-", "-"));
        old.put("C1", "old");
        old.put("C2", "old");
        Table newer = new Table("6.1.0-2-test");
        newer.add(Situation.BOUND, Command.LISTEN, new Observation("EINVAL", "-", "-", "-"));
        newer.put("C2", "new");
        Table updated = old.updatedWith(newer);
        assertThat(updated.release()).isEqualTo("6.1.0-2-test");
        assertThat(updated.at(Situation.BOUND, Command.LISTEN))
                .containsExactly(new Observation("EINVAL", "-", "-", "-"));
        assertThat(updated.at(Situation.BOUND, Command.BIND)).hasSize(1);
        assertThat(updated.behaviour("C1")).contains("old");
        assertThat(updated.behaviour("C2")).contains("new");
    }
}
