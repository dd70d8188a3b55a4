// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Waiting for the events of a channel: until a deadline, and without interruption. */
class EventAwaitTest extends CompletionScenes {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void anInterruptDoesNotEndAWaitThatIgnoresInterrupts() throws Exception {
        Thread self = Thread.currentThread();
        cq.requestNotification(false);
        kernel.beforePoll(() -> {
            CompletionAwaitTest.interruptFromOutside(self);
            kernel.beforePoll(() -> kernel.complete(cq, 5));
        });
        assertThat(channel.awaitEventUninterruptibly(LIMIT)).containsSame(cq);
        assertThat(Thread.interrupted()).as("interrupted during the wait").isTrue();
        self.interrupt();
        assertThat(channel.awaitEventUninterruptibly(Duration.ofMillis(1))).isEmpty();
        assertThat(Thread.interrupted()).as("interrupted before the wait").isTrue();
        kernel.beforePoll(() -> CompletionAwaitTest.interruptFromOutside(self));
        assertThat(channel.awaitEventUninterruptibly(Duration.ofMillis(1)))
                .as("the rest of the time")
                .isEmpty();
        assertThat(Thread.interrupted()).isTrue();
        cq.requestNotification(false);
        kernel.beforePoll(() -> {
            CompletionAwaitTest.interruptFromOutside(self);
            kernel.beforePoll(() -> kernel.complete(cq, 6));
        });
        assertThat(channel.awaitEventUninterruptibly()).isSameAs(cq);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void waitsForAnEventUntilADeadline() throws Exception {
        assertThat(channel.awaitEvent(Deadline.after(Duration.ofMillis(1)))).isEmpty();
        assertThat(channel.awaitEvent(Deadline.after(Duration.ZERO))).isEmpty();
        cq.requestNotification(false);
        kernel.beforePoll(() -> kernel.complete(cq, 5));
        assertThat(channel.awaitEvent(Deadline.never())).containsSame(cq);
    }
}
