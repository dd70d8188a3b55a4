// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

/** A program of the machine ended with a status that is not zero. */
public final class ToolFailureException extends TestbedException {
    private static final long serialVersionUID = 1L;

    private final String output;

    ToolFailureException(String command, int status, String output) {
        super(command + " ended with status " + status + ":\n" + output);
        this.output = output;
    }

    /** The output of the program. */
    public String output() {
        return output;
    }
}
