// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * The output of the commands. A {@link PrintWriter} hides that its reader has gone; this class throws {@link
 * OutputClosedException} at the next {@link #flush}.
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
