// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.RdmaException;

/**
 * Thrown when a queue has no room for a work request. Nothing was posted: poll the completion queue, then post again.
 */
public final class QueueFullException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception for a queue that holds {@code capacity} work requests. */
    public QueueFullException(String queue, int capacity) {
        super("the " + queue + " is full, with " + capacity
                + " outstanding work requests: poll completions, then post again");
    }
}
