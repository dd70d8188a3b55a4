// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import java.io.IOException;

/**
 * The base class of failures that a caller may have to handle: failed system calls, kernel events and malformed
 * replies.
 */
public class RdmaException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message. */
    public RdmaException(String message) {
        super(message);
    }

    /** Creates an exception with a message and a cause. */
    public RdmaException(String message, Throwable cause) {
        super(message, cause);
    }
}
