// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

/** A channel's place in its event loop. For any thread. */
interface LoopMembership {
    /** Tells the loop that something may have changed. Does nothing after {@link #leave}. */
    void look();

    /** The loop asks the channel no more. */
    void leave();
}
