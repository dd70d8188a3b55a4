// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
    @Test
    void countsInMilliseconds() {
        assertThat(Arguments.millis(Duration.ofSeconds(2))).isEqualTo(2000);
        assertThat(Arguments.millis(Duration.ofMillis(1))).isEqualTo(1);
    }

    @Test
    void limitsAVeryLongTimeToTheKernelsMaximum() {
        assertThat(Arguments.millis(ChronoUnit.FOREVER.getDuration())).isEqualTo(Integer.MAX_VALUE);
        assertThat(Arguments.untilEventOf(ChronoUnit.FOREVER.getDuration())).isGreaterThan(Duration.ofDays(40));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 999_999, Long.MIN_VALUE})
    void refusesValuesBelowOne(long nanos) {
        assertThatThrownBy(() -> Arguments.millis(Duration.ofNanos(nanos)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 ms or more");
    }

    @Test
    void refusesTheLongestTimeAgo() {
        assertThatThrownBy(() -> Arguments.millis(Duration.ofSeconds(Long.MIN_VALUE)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesANameWithoutAnAddress() {
        assertThatThrownBy(() -> Arguments.requireResolved(InetSocketAddress.createUnresolved("host.invalid", 1)))
                .isInstanceOf(IOException.class)
                .hasCauseInstanceOf(UnknownHostException.class)
                .hasMessageContaining("the host name host.invalid did not resolve");
    }
}
