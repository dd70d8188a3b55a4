// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.IOException;

/** A command that had to succeed ended with a status other than 0; see {@link ExecResult#requireSuccess}. */
public final class CommandFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    CommandFailedException(ExecResult result) {
        super(result.command() + " on node " + result.node() + " ended with status " + result.status() + "; "
                + result.outputs());
        status = result.status();
    }

    /** The status of the command, as {@link ExecResult#status}. */
    public int status() {
        return status;
    }
}
