// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Await;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;

/** A command of ours that runs in a thread of this JVM. Closing interrupts it, as Ctrl-C would, and waits for its end. */
public final class RunningCommand implements AutoCloseable {
    private final String arguments;
    private final StringWriter output = new StringWriter();
    private final StringWriter complaint = new StringWriter();
    private final Await.Running<Integer> running;

    private RunningCommand(Callable<Integer> command, String arguments) {
        this.arguments = arguments;
        CommandLine line = new CommandLine(command)
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(complaint, true))
                .setExecutionExceptionHandler((failure, picocli, parsed) -> {
                    picocli.getErr().println(failure.getMessage());
                    return 1;
                });
        running = Await.inThread(() -> line.execute(arguments.isEmpty() ? new String[0] : arguments.split(" ")));
    }

    /** Starts a command with arguments that blanks separate. */
    public static RunningCommand start(Callable<Integer> command, String arguments) {
        return new RunningCommand(command, arguments);
    }

    /** Starts a server, and waits until it listens on the port. */
    public static RunningCommand server(Callable<Integer> command, String arguments, int port) {
        RunningCommand server = start(command, arguments);
        Listeners.await(port);
        return server;
    }

    /** Runs a command to its end. */
    public static RunningCommand run(Callable<Integer> command, String arguments) throws InterruptedException {
        RunningCommand ended = start(command, arguments);
        ended.running.thread().join();
        return ended;
    }

    public String output() {
        return output.toString();
    }

    public String complaint() {
        return complaint.toString();
    }

    boolean isRunning() {
        return !running.isDone();
    }

    /** Waits until it has said one of the texts. */
    public RunningCommand awaitOutput(String... texts) {
        String wanted = "'" + String.join("' or '", texts) + "'";
        Await.until(wanted + " from " + this, () -> hasSaid(texts) || !isRunning());
        if (!hasSaid(texts)) {
            throw new AssertionError(this + " ended without saying " + wanted);
        }
        return this;
    }

    private boolean hasSaid(String... texts) {
        return Stream.of(texts).anyMatch(output()::contains);
    }

    /** Waits for its end and returns its status. */
    public int status() throws Exception {
        try {
            return running.result();
        } catch (AssertionError hangs) {
            throw new AssertionError(this.toString(), hangs);
        }
    }

    /** Waits for its end, which must have that status; returns all that it said. */
    public String end(int status) throws Exception {
        assertThat(status()).as("%s", this).isEqualTo(status);
        return output() + complaint();
    }

    /** Waits for its end, which must be a success; returns what it said. */
    public String success() throws Exception {
        return end(0);
    }

    @Override
    public void close() {
        running.thread().interrupt();
        try {
            running.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the end of " + this, e);
        }
    }

    @Override
    public String toString() {
        return "the command with " + arguments + " (" + (isRunning() ? "running" : "ended") + "), which said: "
                + output() + complaint();
    }
}
