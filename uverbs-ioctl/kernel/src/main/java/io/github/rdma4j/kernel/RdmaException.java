// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernel;

import java.io.IOException;

/** Every failure that a caller may have to handle: a refused system call, a kernel event, a reply that does not parse. */
public class RdmaException extends IOException {
    private static final long serialVersionUID = 1L;

    public RdmaException(String message) {
        super(message);
    }

    public RdmaException(String message, Throwable cause) {
        super(message, cause);
    }
}
