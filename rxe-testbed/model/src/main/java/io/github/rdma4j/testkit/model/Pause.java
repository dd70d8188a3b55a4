// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import java.util.concurrent.CountDownLatch;

/**
 * A command that stays in the kernel until the test lets it go on: so that a test can do something else meanwhile. Made by
 * {@link ModelRdmaCm#pauseNext}.
 */
public final class Pause implements AutoCloseable {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    Pause() {}

    /** Waits until the command is in the kernel; it has had no effect yet. */
    public void awaitCommand() throws InterruptedException {
        entered.await();
    }

    /** Lets the command go on, now or when it comes. Idempotent. */
    public void end() {
        ended.countDown();
    }

    /** As {@link #end}. */
    @Override
    public void close() {
        end();
    }

    /** A command in the kernel is not interruptible. */
    void pass() {
        entered.countDown();
        boolean interrupted = false;
        while (true) {
            try {
                ended.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
