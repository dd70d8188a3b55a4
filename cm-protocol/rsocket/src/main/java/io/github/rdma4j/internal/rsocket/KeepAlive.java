// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.rsocket.wire.Protocol;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Asks from time to time whether the device of the peer answers. */
final class KeepAlive {
    private static final int UNANSWERED = 10;
    private static final Duration LEAST_SILENCE = Duration.ofSeconds(10);

    private final Protocol engine;
    private volatile Duration period = Duration.ZERO;
    private volatile @Nullable Future<?> periodic;

    /** When the peer's device was asked last. */
    private long asked;

    KeepAlive(Protocol engine) {
        this.engine = engine;
    }

    /** Runs {@code task}, which asks, after each period; zero for never. */
    void start(Duration each, Runnable task) {
        period = each;
        if (!period.isZero()) {
            periodic = StreamService.every(period, task);
        }
    }

    void end() {
        Future<?> started = periodic;
        if (started != null) {
            started.cancel(false);
        }
    }

    /**
     * Asks the peer's device, or counts how long it has not answered: soft-RoCE sends again for ever with the retries that rsockets
     * have.
     *
     * @throws SocketException if the device has not answered for too long
     */
    void ask() throws IOException {
        if (engine.isAnswered()) {
            asked = System.nanoTime();
            engine.keepAlive();
            return;
        }
        Duration silence = Duration.ofNanos(System.nanoTime() - asked);
        if (silence.compareTo(period.multipliedBy(UNANSWERED)) > 0 && silence.compareTo(LEAST_SILENCE) > 0) {
            throw new SocketException(
                    "Connection timed out: the device of the peer has not answered for " + silence.toSeconds() + " s");
        }
    }
}
