// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.verbs.provider.QueueRings;
import org.jspecify.annotations.Nullable;

/**
 * Where the requests of a queue pair complete.
 *
 * @param send the queue for sends; null for a target of XRC, which sends nothing
 * @param receive the queue for receives; null for either end of XRC, whose receives complete in the queue of the shared
 *     receive queue
 */
record CompletionQueues(
        @Nullable CompletionQueue send, @Nullable CompletionQueue receive) {
    static final CompletionQueues NONE = new CompletionQueues(null, null);

    /** True when everything completes in {@code cq}. */
    boolean areOnly(CompletionQueue cq) {
        return send == cq && (receive == cq || receive == null);
    }

    /** The provider has completed sends by itself. */
    void sendCompletedByProvider() {
        if (send != null) {
            send.lookAgain();
        }
    }

    /** The provider has completed receives by itself. */
    void receiveCompletedByProvider() {
        if (receive != null) {
            receive.lookAgain();
        }
    }

    /** The queue pair of {@code rings} is gone, or in RESET. */
    void forget(QueueRings rings) {
        if (send != null) {
            send.forget(rings);
        }
        if (receive != null && receive != send) {
            receive.forget(rings);
        }
    }
}
