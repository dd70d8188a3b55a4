// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

/** Nobody reads the standard output any more, as when {@code head} has seen enough: the program is to end quietly. */
public final class OutputClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputClosedException() {
        super("nobody reads the standard output any more");
    }
}
