// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ConnectClockTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    private final BlockingQueue<ConnectClock.Wait> late = new LinkedBlockingQueue<>();

    /** What the clock gives to the loop. */
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    private ConnectClock clock(Duration limit) {
        ConnectClock clock = new ConnectClock(limit, late::add);
        clock.begin(tasks::add);
        return clock;
    }

    private void runNextTask() throws InterruptedException {
        tasks.take().run();
    }

    @Test
    void eachWaitHasItsOwnLimit() throws InterruptedException {
        ConnectClock clock = clock(SHORT);
        clock.resolving();
        runUntilLate();
        assertThat(late.take()).isEqualTo(ConnectClock.Wait.RESOLVING);
        clock.resolved();
        clock.sent();
        runUntilLate();
        assertThat(late.take()).isEqualTo(ConnectClock.Wait.ANSWER);
    }

    private void runUntilLate() throws InterruptedException {
        while (late.isEmpty()) {
            runNextTask();
        }
    }

    @Test
    void aLoopThatIsBusyIsNoSilentPeer() throws InterruptedException {
        ConnectClock clock = clock(SHORT);
        clock.sent();
        for (int i = 0; i < 8; i++) {
            Runnable look = tasks.take();
            Thread.sleep(60); // longer than a quiet loop takes
            look.run();
        }
        clock.over();
        assertThat(late).isEmpty();
    }

    /** The loop may have been busy with the answer, or with something else while the answer came. */
    @Test
    void anAnswerThatTheLoopTakesBeforeItHearsOfTheLimitIsInTime() throws InterruptedException {
        ConnectClock first = clock(SHORT);
        first.sent();
        Runnable limitIsOver = tasks.take();
        first.over();
        limitIsOver.run();
        ConnectClock second = clock(SHORT);
        second.sent();
        runNextTask();
        Runnable graceIsOver = tasks.take();
        second.over();
        graceIsOver.run();
        assertThat(late).isEmpty();
    }

    @Test
    void thePeerOwesItsAnswerFromTheRequestOn() {
        ConnectClock clock = clock(Duration.ofDays(1));
        assertThat(clock.unanswered()).isZero();
        clock.resolving();
        assertThat(clock.unanswered()).isZero();
        clock.resolved();
        clock.sent();
        assertThat(clock.unanswered()).isPositive();
        clock.over();
        assertThat(clock.unanswered()).isZero();
    }

    @Test
    void withoutALimitItStandsStill() {
        ConnectClock clock = clock(Duration.ZERO);
        clock.resolving();
        clock.sent();
        assertThat(clock.unanswered()).isZero();
        assertThat(tasks).isEmpty();
    }
}
