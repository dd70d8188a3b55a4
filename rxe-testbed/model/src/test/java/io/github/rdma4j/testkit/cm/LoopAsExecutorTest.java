// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.LoopOptions;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop runs or refuses what it is given as an executor, also when it ends meanwhile. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LoopAsExecutorTest {
    private static CmEventLoop open() throws RdmaException {
        return CmEventLoop.open(
                LoopOptions.builder().kernel(new ModelRdmaCm().kernel()).build());
    }

    @Test
    void runsWhatItHasTakenWhenItIsClosed() throws Exception {
        CmEventLoop loop = open();
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        loop.execute(() -> {
            busy.countDown();
            awaitQuietly(closing);
        });
        busy.await();
        List<Boolean> ran = new ArrayList<>();
        loop.execute(() -> ran.add(loop.isLoopThread()));
        loop.execute(() -> ran.add(loop.isLoopThread()));
        FutureTask<Void> close = new FutureTask<>(loop::close, null);
        new Thread(close).start();
        while (!loop.isClosed()) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(() -> loop.execute(() -> ran.add(false))).isInstanceOf(RejectedExecutionException.class);
        closing.countDown();
        close.get(60, TimeUnit.SECONDS);
        assertThat(ran).containsExactly(true, true);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void losesNothingThatComesWhileItEnds() throws Exception {
        for (int round = 0; round < 200; round++) {
            CmEventLoop loop = open();
            AtomicInteger ran = new AtomicInteger();
            FutureTask<Integer> giving = new FutureTask<>(() -> {
                int taken = 0;
                try {
                    while (true) {
                        loop.execute(ran::incrementAndGet);
                        taken++;
                    }
                } catch (RejectedExecutionException closed) {
                    return taken;
                }
            });
            new Thread(giving).start();
            while (ran.get() == 0) {
                Thread.onSpinWait();
            }
            loop.close();
            assertThat(giving.get(60, TimeUnit.SECONDS)).isEqualTo(ran.get());
        }
    }
}
