// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.rsocket.wire.Protocol;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Asks from time to time whether the device of the peer answers. */
final class KeepAlive {
    private final Protocol engine;
    private final Probes probes;
    private final Consumer<KeepAlive> task;

    /** Changes whenever something has come of the peer's device. */
    private final LongSupplier progress;

    /** The progress at the last step. */
    private long seen;

    private volatile @Nullable Future<?> next;
    private volatile boolean ended;

    /** The peer's device was asked, and its answer has not been seen. */
    private boolean waiting;

    /** When the peer's device was asked last. */
    private long asked;

    /** The intervals that have passed since. */
    private int unanswered;

    /** Creates a keepalive that has not started; {@code task} calls {@link #step} with the lock of the stream. */
    KeepAlive(Protocol engine, Probes probes, LongSupplier progress, Consumer<KeepAlive> task) {
        this.engine = engine;
        this.probes = probes;
        this.progress = progress;
        this.task = task;
    }

    void start() {
        if (!probes.idle().isZero()) {
            schedule(probes.idle());
        }
    }

    private void schedule(Duration delay) {
        next = StreamService.after(delay, () -> task.accept(this));
    }

    void end() {
        ended = true;
        Future<?> scheduled = next;
        if (scheduled != null) {
            scheduled.cancel(false);
        }
    }

    /**
     * Asks the peer's device, or counts how long it has not answered: soft-RoCE sends again for ever with the retries that rsockets
     * have.
     *
     * @throws SocketException if the device has not answered for too long
     */
    void step() throws IOException {
        if (!ended) {
            schedule(askOrCount());
        }
    }

    /** Returns the time until the next step. */
    Duration askOrCount() throws IOException {
        boolean anything = seen != progress.getAsLong();
        seen = progress.getAsLong();
        if (!engine.isAnswered()) {
            // What is under way before the question takes its time.
            unanswered = anything ? 0 : unanswered + 1;
            if (unanswered >= probes.count()) {
                Duration silence = Duration.ofNanos(System.nanoTime() - asked);
                throw new SocketException("Connection timed out: the device of the peer has not answered for "
                        + silence.toSeconds() + " s");
            }
            return probes.interval();
        }
        unanswered = 0;
        if (waiting && probes.idle().compareTo(probes.interval()) > 0) {
            waiting = false;
            return probes.idle().minus(probes.interval());
        }
        asked = System.nanoTime();
        waiting = true;
        engine.keepAlive();
        return probes.interval();
    }
}
