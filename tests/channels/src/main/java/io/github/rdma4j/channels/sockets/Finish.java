// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.sockets;

/**
 * The end of a connection: one side closes it.
 *
 * @param tail bytes that are written before
 * @param linger seconds; -1 for none
 * @param readMillis the limit of the read that a close ends; 0 for none
 */
record Finish(boolean isByClient, How how, int tail, int lateMillis, int linger, int readMillis) {
    enum How {
        CLOSE,
        /** By the stream. */
        STREAM,
        /** While another thread reads, and is interrupted. */
        WHILE_READING,
        /** While another thread writes more than the other side takes. */
        WHILE_WRITING,
        /** With SO_LINGER 0. */
        RESET,
        /** Before the other side writes. */
        EARLY,
        /** After the other side, whose end was read. */
        LAST
    }
}
