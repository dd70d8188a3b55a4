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
        table.put(NUMBER, "a");
        assertThat(table.get(NUMBER)).isEqualTo("a");
        assertThat(table.get(NUMBER + 1)).isNull();
        assertThat(table.get(NUMBER ^ 1 << 12)).isNull();
    }

    @Test
    void removingAQueueLeavesAnotherWithItsNumber() {
        table.put(NUMBER, "a");
        table.put(NUMBER, "b");
        table.remove(NUMBER, "a");
        assertThat(table.get(NUMBER)).isEqualTo("b");
    }

    @Test
    void aRepeatedLookUpSeesEachChange() {
        assertThat(recent.get(NUMBER)).isNull();
        table.put(NUMBER, "a");
        assertThat(recent.get(NUMBER)).isEqualTo("a");
        table.put(NUMBER, "b");
        assertThat(recent.get(NUMBER)).isEqualTo("b");
        table.remove(NUMBER, "b");
        assertThat(recent.get(NUMBER)).isNull();
    }

    @Test
    void lookUpsMayAlternate() {
        table.put(0, "zero");
        table.put(NUMBER, "a");
        for (int i = 0; i < 3; i++) {
            assertThat(recent.get(0)).isEqualTo("zero");
            assertThat(recent.get(NUMBER)).isEqualTo("a");
            assertThat(recent.get(1)).isNull();
        }
    }
}
