// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;

/** Thrown when a work request fails. Only helpers that wait throw it: a poll reports the status as data. */
public final class WorkCompletionException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final WorkCompletionStatus status;
    private final int rawStatus;
    private final long wrId;

    /** Creates an exception from a failed completion. */
    public WorkCompletionException(WorkCompletion completion) {
        super("work request " + completion.wrId() + " of QP " + completion.qpNumber() + " failed: "
                + completion.statusName() + " (" + completion.rawStatus() + ")"
                + (completion.vendorError() == 0 ? "" : ", vendor error " + completion.vendorError()));
        status = completion.status();
        rawStatus = completion.rawStatus();
        wrId = completion.wrId();
    }

    /** Returns the reason for the failure ({@code enum ibv_wc_status}). */
    public WorkCompletionStatus status() {
        return status;
    }

    /** Returns the kernel's number of {@link #status()}, {@code IBV_WC_*}. */
    public int rawStatus() {
        return rawStatus;
    }

    /** Returns the id of the failed work request. */
    public long wrId() {
        return wrId;
    }
}
