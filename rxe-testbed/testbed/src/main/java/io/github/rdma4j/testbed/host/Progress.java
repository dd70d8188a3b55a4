// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reports the progress of long steps: on a terminal one line that changes, in a pipe one line for each step. */
public final class Progress {
    private static final String ERASE_LINE = "\r\033[K";

    private final PrintStream out;
    private final boolean terminal;
    private boolean lineOpen;

    private Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Writes to standard error; standard output belongs to the command. */
    public static Progress onStandardError() {
        return new Progress(System.err, isTerminal(2));
    }

    public static Progress silent() {
        return new Progress(new PrintStream(PrintStream.nullOutputStream()), false);
    }

    public void step(String what) {
        if (terminal) {
            out.print(ERASE_LINE + "testbed: " + what + " …");
            out.flush();
            lineOpen = true;
        } else {
            out.println("testbed: " + what);
        }
    }

    /** Prints a line that stays on the terminal. */
    public void note(String what) {
        finish();
        out.println("testbed: " + what);
    }

    /** Removes the changing line, so that later output starts at the left margin. */
    public void finish() {
        if (lineOpen) {
            out.print(ERASE_LINE);
            out.flush();
            lineOpen = false;
        }
    }

    // System.console() is null when only one of the streams is a terminal, and from JDK 22 on never null.
    private static boolean isTerminal(int descriptor) {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor));
            return target.startsWith("/dev/pts") || target.toString().startsWith("/dev/tty");
        } catch (java.io.IOException e) {
            return false;
        }
    }
}
