// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

/** The reader of the standard output has gone, as after {@code | head -1}: the program ends without a message. */
public final class OutputClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputClosedException() {
        super("the standard output is closed");
    }
}
