// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.cm.Ece;

/**
 * Reasons of a rejection, the status of {@link CmEventTypes#RDMA_CM_EVENT_REJECTED}: those of InfiniBand Architecture
 * Specification volume 1, table "REJ Reason", that the kernel's connection manager sends. No uapi header exports them.
 */
public final class RejectReasons {
    /** The peer destroyed its id before the connection was complete. */
    public static final int IB_CM_REJ_TIMEOUT = 4;

    /** Nobody listens on the port. */
    public static final int IB_CM_REJ_INVALID_SERVICE_ID = 8;

    /** The peer has a connection that this request would replace. */
    public static final int IB_CM_REJ_STALE_CONN = 10;

    /** The peer's program rejected; {@link RejectCommand} may say so. */
    public static final int IB_CM_REJ_CONSUMER_DEFINED = 28;

    /** The options of {@link Ece} do not suit; {@link RejectCommand} may say so. */
    public static final int IB_CM_REJ_VENDOR_OPTION_NOT_SUPPORTED = 35;

    private RejectReasons() {}
}
