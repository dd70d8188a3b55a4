// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;

/** The subnet manager has declared that it does not support the operation; no request was sent. */
public final class UnsupportedBySubnetManagerException extends RdmaException {
    private static final long serialVersionUID = 1L;

    UnsupportedBySubnetManagerException(String message) {
        super(message);
    }
}
