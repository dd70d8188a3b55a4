// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.sockets;

/**
 * Both sides write and read at a time, and one may end its output then.
 *
 * @param chunk bytes of a call
 * @param readMillis the limit of a read, which is repeated; 0 for none
 * @param lateMillis how long the writers wait before each call
 * @param asks whether the readers ask first what there is to read
 */
record Step(int toServer, int toClient, int chunk, int readMillis, int lateMillis, boolean asks, HalfClose halfClose) {
    /** Which output ends. */
    enum HalfClose {
        NONE,
        CLIENT,
        SERVER
    }
}
