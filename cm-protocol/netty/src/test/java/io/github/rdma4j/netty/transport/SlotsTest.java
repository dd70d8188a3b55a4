// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlotsTest {
    private final Slots<String> slots = new Slots<>();

    @Test
    void aNumberThatIsFreeIsUsedAgain() {
        assertThat(slots.add("a")).isZero();
        assertThat(slots.add("b")).isEqualTo(1);
        assertThat(slots.add("c")).isEqualTo(2);
        slots.remove(1);
        assertThat(slots.get(1)).isNull();
        assertThat(slots.all()).containsExactly("a", "c");
        assertThat(slots.add("d")).isEqualTo(1);
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
