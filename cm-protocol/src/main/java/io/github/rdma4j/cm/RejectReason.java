// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.abi.Codes;

/**
 * The reason of a rejection, the status of a REJECTED event (InfiniBand Architecture Specification volume 1, table "REJ Message:
 * Reason"): what the kernel's connection manager sends. No uapi header exports these numbers.
 */
enum RejectReason {
    /** {@code IB_CM_REJ_TIMEOUT}. */
    TIMEOUT(4, "the peer went away while connecting"),
    /** {@code IB_CM_REJ_INVALID_SERVICE_ID}. */
    INVALID_SERVICE_ID(8, "nobody listens on that port"),
    /** {@code IB_CM_REJ_STALE_CONN}: the peer has a connection that the request would replace. */
    STALE_CONN(10, "stale connection"),
    /** {@code IB_CM_REJ_CONSUMER_DEFINED}: the usual reason of a reject command. */
    CONSUMER_DEFINED(28, "the peer's program said no, or could not accept"),
    /** {@code IB_CM_REJ_VENDOR_OPTION_NOT_SUPPORTED}: the options of {@link Ece} do not suit. */
    VENDOR_OPTION_NOT_SUPPORTED(35, "vendor option not supported"),
    /** A number that this version has no name for. */
    UNKNOWN(-1, "reason of the specification's table");

    private static final Codes<RejectReason> CODES = Codes.of(values(), RejectReason::code, UNKNOWN);

    private final int code;
    private final String text;

    RejectReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** The number on the wire; -1 for {@link #UNKNOWN}. */
    int code() {
        return code;
    }

    /** The reason in words. */
    String text() {
        return text;
    }

    /** The reason with that number; {@link #UNKNOWN} for a number without a name. */
    static RejectReason of(int code) {
        return CODES.get(code);
    }
}
