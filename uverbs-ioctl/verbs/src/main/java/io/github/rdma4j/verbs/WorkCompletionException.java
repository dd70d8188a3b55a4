// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;

/** A work request failed; thrown only by helpers that wait for one, since a poll reports the status as data. */
public final class WorkCompletionException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final WorkCompletionStatus status;
    private final int rawStatus;
    private final long wrId;

    public WorkCompletionException(WorkCompletion completion) {
        super("work request " + completion.wrId() + " of QP " + completion.qpNumber() + " failed: "
                + completion.statusName() + " (" + completion.rawStatus() + ")"
                + (completion.vendorError() == 0 ? "" : ", vendor error " + completion.vendorError()));
        status = completion.status();
        rawStatus = completion.rawStatus();
        wrId = completion.wrId();
    }

    /** Why the request failed ({@code enum ibv_wc_status}). */
    public WorkCompletionStatus status() {
        return status;
    }

    /** The number of {@link #status()}, {@code IBV_WC_*}. */
    public int rawStatus() {
        return rawStatus;
    }

    public long wrId() {
        return wrId;
    }
}
