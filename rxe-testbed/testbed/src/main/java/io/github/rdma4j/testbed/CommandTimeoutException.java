// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.io.IOException;
import java.time.Duration;

/** A command of {@link Node#exec} did not end within its {@link Command.Builder#timeout timeout} and was killed. */
public final class CommandTimeoutException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient ExecResult result;

    CommandTimeoutException(Command command, Duration limit, ExecResult result) {
        super(command + " did not end within " + limit.toMillis() + " ms and was killed; " + result.outputs());
        this.result = result;
    }

    /** The output of the command until it was killed. */
    public ExecResult result() {
        return result;
    }
}
