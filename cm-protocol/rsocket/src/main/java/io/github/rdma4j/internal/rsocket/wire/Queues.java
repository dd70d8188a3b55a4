// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

/**
 * The sizes of the queues.
 *
 * @param send the slots of the send queue, {@value #LEAST} to {@value #MOST}
 * @param receive the receives that the peer may use for messages with data, {@value #LEAST} to {@value #MOST}
 * @param messagesAreSent true on iWARP, where a write cannot carry a message, and a send follows it
 */
public record Queues(int send, int receive, boolean messagesAreSent) {
    /** The smallest size of a queue. */
    public static final int LEAST = 16;

    /** The largest size of a queue. */
    public static final int MOST = 0xfffe;

    /** Refuses sizes that the protocol cannot work with. */
    public Queues {
        require("a send queue", send);
        require("a receive queue", receive);
    }

    private static void require(String what, int size) {
        if (size < LEAST || size > MOST) {
            throw new IllegalArgumentException(
                    what + " must have from " + LEAST + " to " + MOST + " slots, not " + size);
        }
    }

    int slots() {
        return messagesAreSent ? 2 : 1;
    }
}
