// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.RdmaException;

/** The queue has no room for a work request, and nothing was posted. Poll the completion queue, then post again. */
public final class QueueFullException extends RdmaException {
    private static final long serialVersionUID = 1L;

    public QueueFullException(String queue, int capacity) {
        super("the " + queue + " holds " + capacity
                + " work requests and has no room for more: poll completions first");
    }
}
