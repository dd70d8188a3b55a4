// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.support.Await;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;

/** A command of ours that runs in a thread of this JVM. Closing interrupts it, as Ctrl-C would, and waits for its end. */
final class RunningCommand implements AutoCloseable {
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
        running = Await.inThread(() -> line.execute(arguments.split(" ")));
    }

    static RunningCommand start(Callable<Integer> command, String arguments) {
        return new RunningCommand(command, arguments);
    }

    String output() {
        return output.toString();
    }

    String complaint() {
        return complaint.toString();
    }

    boolean isRunning() {
        return !running.isDone();
    }

    /** Waits until it has said one of the texts. */
    RunningCommand awaitOutput(String... texts) {
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
    int status() throws Exception {
        try {
            return running.result();
        } catch (AssertionError hangs) {
            throw new AssertionError(this.toString(), hangs);
        }
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
