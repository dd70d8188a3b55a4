// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.machine.GuestFailureException;
import java.io.IOException;

/**
 * A testbed could not be started, or a node has failed: its kernel panicked, it ran out of memory, or it gave no sign
 * of life for a minute. The message names the node and, if possible, a remedy.
 */
public final class TestbedFailureException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String kernelLines;

    TestbedFailureException(String message) {
        super(message);
        kernelLines = "";
    }

    private TestbedFailureException(String message, String kernelLines, Throwable cause) {
        super(kernelLines.isEmpty() ? message : message + "; the last lines of its kernel:\n" + kernelLines, cause);
        this.kernelLines = kernelLines;
    }

    /** The same failure with the stack of this caller. */
    static TestbedFailureException of(String what, TestbedException cause) {
        String lines = cause instanceof GuestFailureException failed ? failed.kernelLines() : "";
        return new TestbedFailureException(what + cause.getMessage(), lines, cause);
    }

    /** The last lines that the kernel of the failed node wrote on its console; empty if no kernel has failed. */
    public String kernelLines() {
        return kernelLines;
    }
}
