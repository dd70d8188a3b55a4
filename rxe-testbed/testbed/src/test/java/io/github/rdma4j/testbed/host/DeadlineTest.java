// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    @Test
    void countsDown() {
        Deadline deadline = Deadline.after(Duration.ofHours(1));

        assertThat(deadline.remainingNanos()).isBetween(1L, Duration.ofHours(1).toNanos());
        assertThat(deadline.expired()).isFalse();
        assertThat(Deadline.after(Duration.ZERO).expired()).isTrue();
        assertThat(Deadline.after(Duration.ofSeconds(-1)).expired()).isTrue();
    }

    @Test
    void takesLimitsThatTheClockCannotCount() {
        assertThat(Deadline.after(Duration.ofSeconds(Long.MAX_VALUE)).remainingNanos())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Deadline.after(Duration.ofNanos(Long.MAX_VALUE - 1)).expired())
                .isFalse();
        assertThat(Deadline.after(Duration.ofSeconds(Long.MIN_VALUE)).expired()).isTrue();
        assertThat(Deadline.never().remainingNanos()).isEqualTo(Long.MAX_VALUE);
    }
}
