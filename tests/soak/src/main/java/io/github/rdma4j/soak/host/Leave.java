// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

/** How a client of an echo server leaves. */
public enum Leave {
    /** Without a word. */
    SILENTLY,

    /** After the end of both streams. */
    PROPERLY,

    /** With SO_LINGER 0, which resets the connection, while the echo is under way. */
    BY_RESET,

    /** While it reads nothing and the echo fills the buffers. */
    UNREAD
}
