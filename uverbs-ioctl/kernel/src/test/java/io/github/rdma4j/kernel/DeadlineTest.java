// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.fd.Polling;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    @Test
    void noTimeoutNeverExpires() {
        assertThat(Deadline.never().expired()).isFalse();
        assertThat(Polling.millis(Deadline.never())).isEqualTo(-1);
    }

    @Test
    void nothingLeftIsZero() {
        for (Duration timeout :
                new Duration[] {Duration.ZERO, Duration.ofDays(-1), Duration.ofSeconds(Long.MIN_VALUE)}) {
            assertThat(Deadline.after(timeout).expired()).as("%s", timeout).isTrue();
            assertThat(Polling.millis(Deadline.after(timeout)))
                    .as("%s", timeout)
                    .isZero();
        }
    }

    @Test
    void roundsUpSoThatAPollDoesNotEndEarly() {
        assertThat(Polling.millis(Deadline.after(Duration.ofDays(1)))).isBetween(86_300_000, 86_400_000);
        Deadline nearlyNow = Deadline.after(Duration.ofNanos(1));
        assertThat(Polling.millis(nearlyNow)).isBetween(0, 1);
    }

    @Test
    void aVeryLongTimeIsPolledInPieces() {
        assertThat(Polling.millis(Deadline.after(Duration.ofDays(10_000)))).isEqualTo(Integer.MAX_VALUE);
        assertThat(Deadline.after(Duration.ofSeconds(Long.MAX_VALUE)).expired()).isFalse();
    }
}
