// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_RESIZE_CQ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.support.Background;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A completion queue that has lost completions, as far as the library can know, says so. */
class LostCompletionsTest extends CompletionScenes {
    private final StackOverflowError error = new StackOverflowError("of the test");

    private final WorkCompletion[] one = WorkCompletion.array(1);

    private void failToResize() {
        kernel.failMmap(error);
        assertThatThrownBy(() -> cq.resize(3)).isSameAs(error);
    }

    @Test
    void givesWhatCameBeforeAResizeThatFailedHalfWay() throws Exception {
        kernel.complete(cq, 1);
        failToResize();
        assertThat(cq.poll(one)).isEqualTo(1);
        assertThat(one[0].wrId()).isEqualTo(1);
        kernel.complete(cq, 2);
        assertThatThrownBy(() -> cq.poll(one))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has lost completions")
                .hasMessageContaining("resized");
        assertThatThrownBy(() -> cq.await(one)).hasMessageContaining("has lost completions");
        assertThatThrownBy(() -> cq.await(one, Duration.ZERO)).hasMessageContaining("has lost completions");
    }

    @Test
    void wakesWhoSleepsWhenAResizeFailsHalfWay() throws Exception {
        CountDownLatch sleeping = new CountDownLatch(1);
        kernel.beforePoll(sleeping::countDown);
        Future<Integer> waiter = Background.start(() -> cq.await(WorkCompletion.array(1)));
        sleeping.await();
        failToResize();
        assertThatThrownBy(waiter::get)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has lost completions");
    }

    @Test
    void goesOnAfterAResizeThatWasRefused() throws Exception {
        kernel.refuse(IB_USER_VERBS_CMD_RESIZE_CQ, Errno.EINVAL);
        assertThatThrownBy(() -> cq.resize(3)).isInstanceOf(ErrnoException.class);
        assertThat(cq.poll(one)).isZero();
        kernel.allow(IB_USER_VERBS_CMD_RESIZE_CQ);
        cq.resize(3);
        kernel.complete(cq, 5);
        assertThat(cq.poll(one)).isEqualTo(1);
        assertThat(cq.poll(one)).isZero();
    }

    @Test
    void saysThatItHasOverrunWhenTheDeviceHasSaidSo() throws Exception {
        kernel.complete(cq, 1);
        kernel.overrun(cq);
        assertThat(cq.poll(one)).isEqualTo(1);
        assertThat(cq.poll(one)).as("nobody has taken the event").isZero();
        kernel.complete(cq, 2);
        AsyncEvent event = context.awaitAsyncEvent(Duration.ZERO).orElseThrow();
        assertThat(event.completionQueue()).contains(cq);
        assertThat(cq.poll(one)).isEqualTo(1);
        assertThatThrownBy(() -> cq.poll(one))
                .hasMessageContaining("has lost completions")
                .hasMessageContaining("maxSendWr");
        cq.resize(3);
        assertThatThrownBy(() -> cq.poll(one)).as("what is lost stays lost").hasMessageContaining("lost");
    }

    @Test
    void wakesTheUserOfTheChannelWhenItHasOverrun() throws Exception {
        cq.requestNotification(false);
        CountDownLatch sleeping = new CountDownLatch(1);
        kernel.beforePoll(sleeping::countDown);
        Future<CompletionQueue> waiter = Background.start(channel::awaitEvent);
        sleeping.await();
        kernel.overrun(cq);
        assertThat(context.awaitAsyncEvent(Duration.ZERO)).isPresent();
        assertThat(waiter.get()).isSameAs(cq);
    }
}
