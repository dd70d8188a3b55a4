// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import java.nio.charset.StandardCharsets;

/** The status and the output of a command that has ended. */
public final class ExecResult {
    private static final int LONGEST_QUOTE = 2000;

    private final int node;
    private final Command command;
    private final int status;
    private final byte[] stdout;
    private final byte[] stderr;

    ExecResult(int node, Command command, int status, byte[] stdout, byte[] stderr) {
        this.node = node;
        this.command = command;
        this.status = status;
        this.stdout = stdout;
        this.stderr = stderr;
    }

    int node() {
        return node;
    }

    Command command() {
        return command;
    }

    /**
     * The status as a shell reports it: the exit status; 128 plus the number of the signal that killed the command; 127
     * if the program does not exist, 126 if it is not executable, 125 if its directory cannot be entered.
     */
    public int status() {
        return status;
    }

    /** The command's standard output, decoded as UTF-8. */
    public String stdout() {
        return new String(stdout, StandardCharsets.UTF_8);
    }

    /** The command's standard error, decoded as UTF-8. */
    public String stderr() {
        return new String(stderr, StandardCharsets.UTF_8);
    }

    /** The command's standard output; a new array at every call. */
    public byte[] stdoutBytes() {
        return stdout.clone();
    }

    /** The command's standard error; a new array at every call. */
    public byte[] stderrBytes() {
        return stderr.clone();
    }

    /**
     * Returns this result if the status is 0.
     *
     * @throws CommandFailedException if the status is not 0; the message has the command, the status and the end of the
     *     output
     */
    public ExecResult requireSuccess() throws CommandFailedException {
        if (status != 0) {
            throw new CommandFailedException(this);
        }
        return this;
    }

    String outputs() {
        return "standard error:\n" + tail(stderr()) + "\nstandard output:\n" + tail(stdout());
    }

    private static String tail(String text) {
        return text.length() <= LONGEST_QUOTE ? text : "…" + text.substring(text.length() - LONGEST_QUOTE);
    }

    @Override
    public String toString() {
        return command + " on node " + node + ": status " + status;
    }
}
