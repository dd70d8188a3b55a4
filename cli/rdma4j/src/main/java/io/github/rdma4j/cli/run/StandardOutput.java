// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * The output of the commands, flushed after each line. A {@link PrintWriter} hides that the reader has closed the pipe;
 * this class throws {@link ClosedException}.
 */
public final class StandardOutput extends PrintWriter {
    private final PrintStream stream;

    /**
     * Thrown when the reader of the standard output has closed it, as in {@code head -1}; the program then ends without
     * a message.
     */
    public static final class ClosedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ClosedException() {
            super("the standard output is closed");
        }
    }

    /** Writes to {@code stream}, which is System.out outside of tests. */
    public StandardOutput(PrintStream stream) {
        super(stream, true);
        this.stream = stream;
    }

    @Override
    public void println() {
        super.println();
        flush();
    }

    @Override
    public PrintWriter format(String format, Object... arguments) {
        return format(Locale.getDefault(Locale.Category.FORMAT), format, arguments);
    }

    @Override
    public PrintWriter format(Locale locale, String format, Object... arguments) {
        super.format(locale, format, arguments);
        flush();
        return this;
    }

    @Override
    public void flush() {
        super.flush();
        if (stream.checkError()) {
            throw new ClosedException();
        }
    }
}
