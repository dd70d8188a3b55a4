// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PingResultTest {
    private static PingResult upTo(int pings) {
        PingResult result = new PingResult();
        for (int i = 1; i <= pings; i++) {
            result.add(i * 1000L);
        }
        return result;
    }

    @Test
    void tellsMedianAndP99() {
        PingResult result = upTo(2000);
        assertThat(result.medianMicros()).isEqualTo(1000);
        assertThat(result.p99Micros()).isEqualTo(1980);
        assertThat(result).hasToString("2000 pings, round trip median 1000.0 us, p99 1980.0 us");
    }

    @Test
    void saysNothingOfTheTimesOfNoPings() {
        assertThat(new PingResult()).hasToString("0 pings");
        assertThat(new PingResult().toMap()).containsEntry("pings", 0L);
    }

    /** A sample of 16,384 in a million is off by more than this once in far more runs than there will be. */
    @Test
    void keepsASampleOfALongRun() {
        PingResult result = upTo(1_000_000);
        assertThat(result.count()).isEqualTo(1_000_000);
        assertThat(result.medianMicros()).isCloseTo(500_000, within(40_000.0));
        assertThat(result.p99Micros()).isCloseTo(990_000, within(8_000.0));
    }
}
