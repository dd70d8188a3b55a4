// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;

/**
 * The exception for an operation that exceeds its time limit. A {@link BlockingCmId} loses nothing: the id keeps the
 * state named in the message, the operation continues, and its events are delivered later. On an event loop, a
 * connection that is being set up is closed.
 */
public final class CmTimeoutException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with a message that names the operation, its limit and the state of the id. */
    public CmTimeoutException(String message) {
        super(message);
    }
}
