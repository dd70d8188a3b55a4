// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.sm.mad.SaRequest;

/** Subnet administration did not answer. The request may or may not have taken effect. */
public final class SaTimeoutException extends SaException {
    private static final long serialVersionUID = 1L;

    SaTimeoutException(SaRequest<?> request, String detail) {
        super(request, 0, request + ": no answer " + detail);
    }
}
