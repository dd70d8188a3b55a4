// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.RejectReasons;

/** Words for the reason of a REJECTED event (InfiniBand Architecture Specification, table "REJ Message: Reason"). */
final class RejectReason {
    private RejectReason() {}

    static String describe(int reason) {
        return switch (reason) {
            case RejectReasons.IB_CM_REJ_TIMEOUT -> "the peer went away while connecting";
            case RejectReasons.IB_CM_REJ_INVALID_SERVICE_ID -> "nobody listens on that port";
            case RejectReasons.IB_CM_REJ_STALE_CONN -> "stale connection";
            case RejectReasons.IB_CM_REJ_CONSUMER_DEFINED -> "the peer's program said no, or could not accept";
            case RejectReasons.IB_CM_REJ_VENDOR_OPTION_NOT_SUPPORTED -> "vendor option not supported";
            default -> "reason of the specification's table";
        };
    }
}
