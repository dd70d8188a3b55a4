// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.internal.rsocket.StreamLife;
import org.jspecify.annotations.Nullable;

/** A channel as its loop sees it. The thread of the event loop calls all methods. */
interface LoopChannel {
    /** The stream whose completions the loop waits for; null while there is none. */
    @Nullable
    StreamLife stream();

    /** Does what can be done now. Returns true if it did something: the loop asks again before it sleeps. */
    boolean progress();

    /** Closes the channel. */
    void close();
}
