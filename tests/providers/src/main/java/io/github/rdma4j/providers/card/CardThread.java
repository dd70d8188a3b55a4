// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.util.concurrent.locks.LockSupport;

/** Keeps a device going, as hardware does, until closed. */
public final class CardThread implements AutoCloseable {
    private static final long NAP_NANOS = 20_000;

    private final Card card;
    private final Thread thread;
    private volatile boolean ended;

    private CardThread(Card card) {
        this.card = card;
        this.thread = new Thread(this::run, "device in software");
        thread.setDaemon(true);
    }

    public static CardThread start(Card card) {
        CardThread started = new CardThread(card);
        started.thread.start();
        return started;
    }

    private void run() {
        while (!ended) {
            if (!card.step()) {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
    }

    /** Returns when the device has made its last step. */
    @Override
    public void close() {
        ended = true;
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
