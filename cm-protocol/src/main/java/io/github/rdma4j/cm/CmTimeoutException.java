// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;

/**
 * The time for a blocking operation ran out. Nothing is lost: the id is where the message says, what was started goes on,
 * and its events come later.
 */
public final class CmTimeoutException extends RdmaException {
    private static final long serialVersionUID = 1L;

    CmTimeoutException(String message) {
        super(message);
    }
}
