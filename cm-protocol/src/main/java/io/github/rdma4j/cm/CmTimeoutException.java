// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;

/**
 * The time for an operation ran out. Of a {@link BlockingCmId} nothing is lost: the id is where the message says, what was
 * started goes on, and its events come later. A connection in the making on an event loop is closed.
 */
public final class CmTimeoutException extends RdmaException {
    private static final long serialVersionUID = 1L;

    public CmTimeoutException(String message) {
        super(message);
    }
}
