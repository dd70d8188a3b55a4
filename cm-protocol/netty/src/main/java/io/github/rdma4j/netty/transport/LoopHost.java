// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

/** The event loop of Netty in which a {@link ChannelLoop} runs. */
interface LoopHost {
    /** True if the caller is the thread of the loop. */
    boolean inEventLoop();

    void execute(Runnable task);

    /** False if tasks are waiting. For the thread of the loop. */
    boolean mayBlock();

    /** The time until the next scheduled task; -1 if there is none. For the thread of the loop. */
    long nanosToNextTask();
}
