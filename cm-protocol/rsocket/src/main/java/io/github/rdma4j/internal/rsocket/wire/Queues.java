// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

/**
 * The sizes of the queues.
 *
 * @param send the slots of the send queue, 16 to 65,534
 * @param receive the receives that the peer may use for messages with data, 16 to 65,534
 * @param messagesAreSent true on iWARP, where a write cannot carry a message, and a send follows it
 */
public record Queues(int send, int receive, boolean messagesAreSent) {
    /** The slots that a write with a message takes. */
    int slots() {
        return messagesAreSent ? 2 : 1;
    }
}
