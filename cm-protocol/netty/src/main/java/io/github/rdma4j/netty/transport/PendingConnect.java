// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.rsocket.StreamConnect;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A connect under way. For the thread of the event loop. */
final class PendingConnect {
    private final StreamConnect attempt;
    private final InetSocketAddress remote;
    private final ChannelPromise promise;
    private @Nullable Future<?> timer;

    PendingConnect(StreamConnect attempt, InetSocketAddress remote, ChannelPromise promise) {
        this.attempt = attempt;
        this.remote = remote;
        this.promise = promise;
    }

    StreamConnect attempt() {
        return attempt;
    }

    InetSocketAddress remote() {
        return remote;
    }

    ChannelPromise promise() {
        return promise;
    }

    void timer(Future<?> started) {
        timer = started;
    }

    void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** Ends the attempt, and tells the promise why. */
    void abandon(Throwable why) {
        stopTimer();
        attempt.cancel();
        boolean unused = promise.tryFailure(why);
    }
}
