// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.QueueRings;
import org.jspecify.annotations.Nullable;

/**
 * The completion queues of a queue pair.
 *
 * @param send the queue for sends; null for an XRC target, which sends nothing
 * @param receive the queue for receives; null for XRC, whose receives complete in the completion queue of the shared
 *     receive queue
 */
record CompletionQueues(
        @Nullable CompletionQueue send, @Nullable CompletionQueue receive) {
    static final CompletionQueues NONE = new CompletionQueues(null, null);

    /** Returns true if all requests complete in {@code cq}. */
    boolean areOnly(CompletionQueue cq) {
        return send == cq && (receive == cq || receive == null);
    }

    /** Wakes waiting threads after the provider itself has completed sends. */
    void sendCompletedByProvider() {
        if (send != null) {
            send.lookAgain();
        }
    }

    /** Wakes waiting threads after the provider itself has completed receives. */
    void receiveCompletedByProvider() {
        if (receive != null) {
            receive.lookAgain();
        }
    }

    /** Forgets the queue pair of {@code rings}, which was destroyed or moved to RESET. */
    void forget(QueueRings rings) {
        if (send != null) {
            send.forget(rings);
        }
        if (receive != null && receive != send) {
            receive.forget(rings);
        }
    }
}
