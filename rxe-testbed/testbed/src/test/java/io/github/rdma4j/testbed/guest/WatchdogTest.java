// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.testbed.machine.GuestFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WatchdogTest {
    private final AtomicInteger kills = new AtomicInteger();
    private final Watchdog watchdog = new Watchdog(kills::incrementAndGet, 0);

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
    void aCommandThatTakesTooLongIsEndedAtItsLimitFrozenOrNot() throws Exception {
        CountDownLatch killed = new CountDownLatch(1);
        Watchdog limited = Watchdog.start(killed::countDown, 1);
        Thread.sleep(500); // between two ticks
        long start = System.nanoTime();
        limited.commandStarted();
        limited.setFrozen(true);

        killed.await();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(limited.verdict()).isEqualTo(GuestFailure.TIMEOUT);
        assertThat(limited.reason()).isEqualTo("the command still ran after 1 s");
    }

    @Test
    void aCommandIsNotEndedBeforeItsLimit() {
        Watchdog limited = new Watchdog(kills::incrementAndGet, 3600);
        limited.commandStarted();
        limited.tick();
        assertThat(limited.verdict()).isNull();
    }
}
