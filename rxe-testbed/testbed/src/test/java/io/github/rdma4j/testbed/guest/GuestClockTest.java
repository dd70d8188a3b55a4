// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class GuestClockTest {
    private static double ratio(double hostSeconds, double guestSeconds) {
        GuestSession.Clock clock = new GuestSession.Clock();
        clock.started(Duration.ofSeconds(4), 3);
        clock.ended(Duration.ofMillis(4000 + (long) (hostSeconds * 1000)), 3 + guestSeconds);
        return clock.ratio();
    }

    @Test
    void tellsAClockThatIsFastOrSlow() {
        assertThat(ratio(100, 230)).isEqualTo(2.3, within(0.001));
        assertThat(ratio(100, 50)).isEqualTo(0.5, within(0.001));
        assertThat(GuestSession.Clock.complaint(2.3)).get().asString().contains("2.30 times", "came too early");
        assertThat(GuestSession.Clock.complaint(0.5)).get().asString().contains("0.50 times", "came too late");
    }

    @Test
    void doesNotReportACorrectClockOrAShortMeasurement() {
        assertThat(GuestSession.Clock.complaint(ratio(100, 105))).isEmpty();
        assertThat(GuestSession.Clock.complaint(ratio(1, 3))).isEmpty();
        assertThat(GuestSession.Clock.complaint(new GuestSession.Clock().ratio()))
                .isEmpty();
    }
}
