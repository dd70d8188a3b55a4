// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimersTest {
    private final List<String> happened = new ArrayList<>();
    private long now;
    private final Timers timers = new Timers(() -> now);

    private void runDue() {
        while (timers.isDue()) {
            timers.runNextDue();
        }
    }

    private Timers.Timer in(long nanos, String what) {
        return timers.schedule(Duration.ofNanos(nanos), () -> happened.add(what));
    }

    @Test
    void runInTheOrderOfTheirTimesAndThenOfTheirCreation() {
        in(20, "c");
        in(10, "a");
        in(10, "b");
        in(30, "d");
        now = 20;
        runDue();
        assertThat(happened).containsExactly("a", "b", "c");
        assertThat(timers.untilNext()).contains(Duration.ofNanos(10));
    }

    @Test
    void doNotHappenOnceCancelled() {
        in(10, "a");
        timers.cancel(in(10, "b"));
        now = 11;
        runDue();
        assertThat(happened).containsExactly("a");
        assertThat(timers.untilNext()).isEmpty();
    }

    @Test
    void getTheTimeAgainByWhichTheyAreLateOnce() {
        in(100_000_000, "a");
        now = 130_000_000;
        runDue();
        assertThat(happened).isEmpty();
        assertThat(timers.untilNext()).contains(Duration.ofMillis(30));
        now = 500_000_000;
        runDue();
        assertThat(happened).containsExactly("a");
    }

    @Test
    void areNotPostponedByMoreThanTheirDelay() {
        in(20_000_000, "a");
        now = 500_000_000;
        runDue();
        assertThat(happened).isEmpty();
        assertThat(timers.untilNext()).contains(Duration.ofMillis(20));
    }

    @Test
    void areCancelledAfterTheyWerePostponed() {
        Timers.Timer timer = in(20_000_000, "a");
        now = 50_000_000;
        runDue();
        timers.cancel(timer);
        assertThat(timers.untilNext()).isEmpty();
    }

    @Test
    void mayMakeOthers() {
        timers.schedule(Duration.ZERO, () -> in(0, "next"));
        runDue();
        assertThat(happened).containsExactly("next");
    }

    @Test
    void acceptsVeryLongAndNegativeTimes() {
        timers.schedule(Duration.ofSeconds(Long.MAX_VALUE), () -> happened.add("doom"));
        timers.schedule(Duration.ofSeconds(Long.MIN_VALUE), () -> happened.add("big bang"));
        runDue();
        assertThat(happened).containsExactly("big bang");
        assertThat(timers.untilNext().orElseThrow()).isGreaterThan(Duration.ofDays(365 * 100));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 15, Long.MIN_VALUE})
    void keepTheirOrderWhenTheClockWrapsAround(long start) {
        now = start;
        in(20, "b");
        in(10, "a");
        now += 10;
        runDue();
        assertThat(happened).containsExactly("a");
        now += 10;
        runDue();
        assertThat(happened).containsExactly("a", "b");
    }
}
