// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

/** With which threads a side reads and writes at a time. */
enum Mode {
    /** A thread reads and a thread writes, on a channel that blocks. */
    BLOCKING,
    /** The same with the streams of the channel's socket. */
    STREAMS,
    /** A thread with a selector does both. */
    ONE_THREAD,
    /** A thread with a selector reads, another with a selector writes. */
    TWO_SELECTORS,
    /** A thread with a selector reads, another writes, and asks that selector when it may go on. */
    SELECTOR_AND_WORKER;

    boolean isBlocking() {
        return this == BLOCKING || this == STREAMS;
    }
}
