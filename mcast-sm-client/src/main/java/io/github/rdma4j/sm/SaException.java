// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;

/**
 * Subnet administration refused a request. The message names the request and the status, says what that means here, and
 * what can be done.
 */
public class SaException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final int method;
    private final int attribute;
    private final int status;

    SaException(SaRequest<?> request, SaStatus status) {
        this(request, status.raw(), request + ": status " + status + SaAdvice.sentence(request, status));
    }

    SaException(SaRequest<?> request, int status, String message) {
        super(message);
        this.method = request.method();
        this.attribute = request.attribute();
        this.status = status;
    }

    /** {@link io.github.rdma4j.internal.mad.SaMethods}. */
    public int method() {
        return method;
    }

    /** {@link io.github.rdma4j.internal.mad.SaAttributes}. */
    public int attribute() {
        return attribute;
    }

    /** What the answer said; 0 when there was none, or none that counts. */
    public SaStatus status() {
        return new SaStatus(status);
    }
}
