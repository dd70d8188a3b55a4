// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueTableTest {
    private static final int NUMBER = 0x123456;

    private final QueueTable<String> table = new QueueTable<>();
    private final QueueTable.Recent<String> recent = table.recent();

    @Test
    void aQueueIsFoundByItsNumberOnly() {
        table.set(NUMBER, "a");
        assertThat(table.get(NUMBER)).isEqualTo("a");
        assertThat(table.get(NUMBER + 1)).isNull();
        assertThat(table.get(NUMBER ^ 1 << 12)).isNull();
    }

    @Test
    void removingAQueueLeavesAnotherWithItsNumber() {
        table.set(NUMBER, "a");
        table.set(NUMBER, "b");
        table.remove(NUMBER, "a");
        assertThat(table.get(NUMBER)).isEqualTo("b");
    }

    @Test
    void aRepeatedLookUpSeesEachChange() {
        assertThat(recent.get(NUMBER)).isNull();
        table.set(NUMBER, "a");
        assertThat(recent.get(NUMBER)).isEqualTo("a");
        table.set(NUMBER, "b");
        assertThat(recent.get(NUMBER)).isEqualTo("b");
        table.remove(NUMBER, "b");
        assertThat(recent.get(NUMBER)).isNull();
    }

    @Test
    void lookUpsMayAlternate() {
        table.set(0, "zero");
        table.set(NUMBER, "a");
        for (int i = 0; i < 3; i++) {
            assertThat(recent.get(0)).isEqualTo("zero");
            assertThat(recent.get(NUMBER)).isEqualTo("a");
            assertThat(recent.get(1)).isNull();
        }
    }
}
