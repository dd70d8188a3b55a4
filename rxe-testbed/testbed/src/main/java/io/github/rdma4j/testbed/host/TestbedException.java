// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

/** The testbed cannot be set up or used; the message says what to do. */
public class TestbedException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * The exit status of the command line when the testbed failed; {@code env(1)} and {@code timeout(1)} use the same
     * number.
     */
    public static final int EXIT_STATUS = 125;

    public TestbedException(String message) {
        super(message);
    }

    public TestbedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The exit status of the command line after this failure. */
    public int exitStatus() {
        return EXIT_STATUS;
    }
}
