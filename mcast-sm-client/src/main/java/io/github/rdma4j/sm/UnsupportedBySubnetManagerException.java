// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;

/** The subnet manager said that it cannot do this; nothing was asked of it. */
public final class UnsupportedBySubnetManagerException extends RdmaException {
    private static final long serialVersionUID = 1L;

    UnsupportedBySubnetManagerException(String message) {
        super(message);
    }
}
