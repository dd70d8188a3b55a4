// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import java.util.function.Supplier;

/** Something that the thread of an event loop does for a promise, and that may fail. */
@FunctionalInterface
interface LoopStep {
    void run() throws Exception;

    /** Runs this step in the loop, at once if the caller is its thread. The step itself tells the promise of its success. */
    default ChannelPromise in(EventLoop loop, ChannelPromise promise) {
        if (loop.inEventLoop()) {
            attempt(promise);
        } else {
            loop.execute(() -> attempt(promise));
        }
        return promise;
    }

    private void attempt(ChannelPromise promise) {
        try {
            run();
        } catch (Exception e) {
            promise.setFailure(e);
        }
    }

    /** Completes {@code promise} when {@code first} and then {@code second} are done, with the first failure. */
    static ChannelFuture both(ChannelFuture first, Supplier<ChannelFuture> second, ChannelPromise promise) {
        first.addListener((ChannelFutureListener) one -> second.get().addListener((ChannelFutureListener) two -> {
            Throwable failure = one.isSuccess() ? two.cause() : one.cause();
            if (failure == null) {
                promise.setSuccess();
            } else {
                promise.setFailure(failure);
            }
        }));
        return promise;
    }
}
