// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.machine.GuestFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WatchdogTest {
    private final AtomicInteger kills = new AtomicInteger();
    private final Watchdog watchdog = new Watchdog(kills::incrementAndGet, Optional.empty());

    private void ticks(int count) {
        for (int i = 0; i < count; i++) {
            watchdog.tick();
        }
    }

    @Test
    void aGuestThatDoesNotStartItsCommandIsHungHoweverTalkative() {
        ticks(Watchdog.BOOT_SECONDS - 1);
        watchdog.heard();
        assertThat(watchdog.verdict()).isNull();

        ticks(1);

        assertThat(watchdog.verdict()).isEqualTo(GuestFailure.HUNG);
        assertThat(watchdog.reason()).contains("did not start the command");
        assertThat(kills).hasValue(1);
    }

    @Test
    void aGuestThatFallsSilentIsHung() {
        watchdog.commandStarted();
        ticks(Watchdog.SILENCE_SECONDS - 1);
        watchdog.heard();
        ticks(Watchdog.SILENCE_SECONDS - 1);
        assertThat(watchdog.verdict()).isNull();

        ticks(1);

        assertThat(watchdog.verdict()).isEqualTo(GuestFailure.HUNG);
        assertThat(watchdog.reason()).contains("nothing was heard");
    }

    @Test
    void aGuestThatHasEndedIsNotKilled() {
        watchdog.stop();
        ticks(Watchdog.BOOT_SECONDS);

        assertThat(watchdog.verdict()).isNull();
        assertThat(kills).hasValue(0);
    }

    @Test
    void aTimeLimitKeepsNoThreadAfterTheGuest() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Watchdog limited = new Watchdog(kills::incrementAndGet, Optional.of(Duration.ofDays(1)));
        limited.commandStarted();
        List<Thread> started = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && thread.getName().equals("testbed-timeout"))
                .toList();
        assertThat(started).isNotEmpty();

        limited.stop();

        for (Thread thread : started) {
            thread.join(60_000);
            assertThat(thread.isAlive()).isFalse();
        }
    }
}
