// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * The output of the commands. A {@link PrintWriter} keeps quiet about a reader that has gone; this one says so at the next
 * {@link #flush}, by {@link OutputClosedException}.
 */
public final class StandardOutput extends PrintWriter {
    private final PrintStream stream;

    /** Writes to {@code stream}, which is System.out outside of tests. */
    public StandardOutput(PrintStream stream) {
        super(stream, true);
        this.stream = stream;
    }

    @Override
    public void flush() {
        super.flush();
        if (stream.checkError()) {
            throw new OutputClosedException();
        }
    }
}
