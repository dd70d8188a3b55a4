// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QueueLockTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 50_000;

    private final QueueLock lock = new QueueLock();

    /** Guarded by the lock. */
    private long counter;

    @Test
    void onlyOneThreadIsInsideAtATime() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    lock.lock();
                    counter++;
                    lock.unlock();
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        lock.lock();
        assertThat(counter).isEqualTo((long) THREADS * ROUNDS);
        lock.unlock();
    }

    @Test
    void aThreadThatPollsWithoutPauseDoesNotShutOthersOut() throws InterruptedException {
        CountDownLatch polling = new CountDownLatch(1);
        boolean[] closed = {false};
        Thread poller = new Thread(() -> {
            for (boolean open = true; open; ) {
                lock.lock();
                open = !closed[0];
                lock.unlock();
                polling.countDown();
            }
        });
        poller.start();
        polling.await();

        lock.lock();
        closed[0] = true;
        lock.unlock();

        poller.join();
    }

    @Test
    void aSleeperComesInWhenASlowHolderHasGoneAndStaysInterrupted() throws InterruptedException {
        lock.lock();
        boolean[] interrupted = {false};
        Thread sleeper = new Thread(() -> {
            lock.lock();
            interrupted[0] = Thread.currentThread().isInterrupted();
            lock.unlock();
        });
        sleeper.start();
        // Past its spins: it sleeps for moments.
        while (sleeper.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        sleeper.interrupt();

        lock.unlock();
        sleeper.join();

        assertThat(interrupted[0]).isTrue();
    }
}
