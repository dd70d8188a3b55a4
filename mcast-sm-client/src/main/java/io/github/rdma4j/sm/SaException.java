// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;

/**
 * Subnet administration refused a request. The message names the request and the status, explains the status, and gives
 * advice.
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

    /** The method of the request, such as 0x12 for {@code SubnAdmGetTable}. */
    public int method() {
        return method;
    }

    /** The attribute of the request, such as 0x38 for {@code MCMemberRecord}. */
    public int attribute() {
        return attribute;
    }

    /** The status of the answer; 0 when there was no complete answer. */
    public SaStatus status() {
        return new SaStatus(status);
    }
}
