// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.rsocket.StreamLife;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoOps;
import org.jspecify.annotations.Nullable;

/** A channel as its handler sees it. The thread of the event loop calls all methods. */
interface RdmaIoHandle extends IoHandle {
    /** Between a channel and its handler: readiness may have changed. */
    enum Look implements IoOps, IoEvent {
        AGAIN
    }

    /** The stream whose completions the handler waits for; null while there is none. */
    @Nullable
    StreamLife stream();

    /** Does what can be done now. Returns true if it did something: the handler asks again before it sleeps. */
    boolean progress();

    /** Closes the channel. */
    @Override
    void close();
}
