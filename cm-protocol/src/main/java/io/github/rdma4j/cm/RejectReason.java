// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.abi.Codes;

/**
 * The reason of a rejection, which is the status of a REJECTED event (InfiniBand Architecture Specification, volume 1,
 * table "REJ Message: Reason"). Contains the reasons that the kernel's connection manager sends. No uapi header exports
 * these numbers.
 */
enum RejectReason {
    /** {@code IB_CM_REJ_TIMEOUT}. */
    TIMEOUT(4, "the peer closed or timed out while connecting"),
    /** {@code IB_CM_REJ_INVALID_SERVICE_ID}. */
    INVALID_SERVICE_ID(8, "no listener on that port"),
    /** {@code IB_CM_REJ_STALE_CONN}: the peer still has a connection that the request would replace. */
    STALE_CONN(10, "stale connection"),
    /** {@code IB_CM_REJ_CONSUMER_DEFINED}: the default reason of the reject command. */
    CONSUMER_DEFINED(
            28,
            "the peer's program rejected the request, or could not accept it,"
                    + " for example for lack of memory, descriptors or queue pairs"),
    /** {@code IB_CM_REJ_VENDOR_OPTION_NOT_SUPPORTED}: the {@link Ece} options are not supported. */
    VENDOR_OPTION_NOT_SUPPORTED(35, "vendor option not supported"),
    /** A reason that this version of the library does not know. */
    UNKNOWN(-1, "see the table of reasons in the InfiniBand specification");

    private static final Codes<RejectReason> CODES = Codes.of(values(), RejectReason::code, UNKNOWN);

    private final int code;
    private final String text;

    RejectReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** Returns the number in the message; -1 for {@link #UNKNOWN}. */
    int code() {
        return code;
    }

    /** Returns the reason in words. */
    String text() {
        return text;
    }

    /** Returns the reason with the given number, or {@link #UNKNOWN} if no reason has that number. */
    static RejectReason of(int code) {
        return CODES.get(code);
    }
}
