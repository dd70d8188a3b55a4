// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlotsTest {
    private final Slots<String> slots = new Slots<>();

    @Test
    void aNumberThatIsFreeIsUsedAgain() {
        assertThat(slots.add("a")).isZero();
        assertThat(slots.add("b")).isEqualTo(1);
        assertThat(slots.add("c")).isEqualTo(2);
        long data = slots.data(1);
        assertThat(slots.get(data)).isEqualTo("b");
        slots.remove(1);
        assertThat(slots.get(data)).isNull();
        assertThat(slots.all()).containsExactly("a", "c");
        assertThat(slots.add("d")).isEqualTo(1);
        assertThat(slots.get(data))
                .as("a late event of the thing that was removed")
                .isNull();
        assertThat(slots.get(slots.data(1))).isEqualTo("d");
        assertThat(slots.add("e")).isEqualTo(3);
    }

    @Test
    void manyNumbersCanBeFreeAtATime() {
        for (int i = 0; i < 1000; i++) {
            assertThat(slots.add("first " + i)).isEqualTo(i);
        }
        for (int i = 0; i < 1000; i++) {
            slots.remove(i);
        }
        assertThat(slots.all()).isEmpty();
        for (int i = 0; i < 1000; i++) {
            assertThat(slots.add("second " + i)).isBetween(0, 999);
        }
        assertThat(slots.all()).hasSize(1000).doesNotHaveDuplicates();
    }
}
