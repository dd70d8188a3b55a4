// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GuestWaitStrategyTest {
    private static final String PANIC = "[   38.5] Kernel panic - not syncing: sysrq triggered crash";

    @Test
    void theTailOfALogIsItsLastLines() {
        assertThat(SoftRoceContainer.GuestWaitStrategy.tail(lines(0, 30)).lines())
                .hasSize(20)
                .endsWith("line 29");
        assertThat(SoftRoceContainer.GuestWaitStrategy.tail(lines(0, 3))).isEqualTo("line 0\nline 1\nline 2");
        assertThat(SoftRoceContainer.GuestWaitStrategy.tail("")).isEmpty();
    }

    @Test
    void theTailOfALogBeginsNoLaterThanThePanic() {
        assertThat(SoftRoceContainer.GuestWaitStrategy.tail(lines(0, 30) + PANIC + "\n" + lines(30, 80))
                        .lines())
                .hasSize(51)
                .startsWith(PANIC)
                .endsWith("line 79");
        assertThat(SoftRoceContainer.GuestWaitStrategy.tail(lines(0, 30) + PANIC + "\n" + lines(30, 32))
                        .lines())
                .hasSize(20)
                .contains(PANIC);
    }

    private static String lines(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
    }
}
