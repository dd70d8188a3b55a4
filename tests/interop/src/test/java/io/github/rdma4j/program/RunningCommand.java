// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.cmtime.CmtimeCommand;
import io.github.rdma4j.cli.devices.DevicesCommand;
import io.github.rdma4j.cli.perf.PerfCommand;
import io.github.rdma4j.cli.ping.PingCommand;
import io.github.rdma4j.cli.rcopy.RcopyCommand;
import io.github.rdma4j.cli.rstream.RstreamCommand;
import io.github.rdma4j.cli.transfer.CmatoseCommand;
import io.github.rdma4j.cli.transfer.MckeyCommand;
import io.github.rdma4j.cli.transfer.UdaddyCommand;
import io.github.rdma4j.support.Await;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A command of ours that runs in a thread of this JVM. Closing interrupts it, as Ctrl-C would, and waits for its end. */
public final class RunningCommand implements AutoCloseable {
    @Command(
            subcommands = {
                CmatoseCommand.class,
                CmtimeCommand.class,
                DevicesCommand.class,
                LoopServer.class,
                MckeyCommand.class,
                PerfCommand.class,
                PingCommand.class,
                RcopyCommand.class,
                RstreamCommand.class,
                UdaddyCommand.class
            })
    private static final class Commands {}

    private final String line;
    private final StringWriter output = new StringWriter();
    private final StringWriter complaint = new StringWriter();
    private final Await.Running<Integer> running;

    private RunningCommand(Object command, String line) {
        this.line = line;
        CommandLine commands = new CommandLine(command)
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(complaint, true))
                .setExecutionExceptionHandler((failure, picocli, parsed) -> {
                    picocli.getErr().println(failure.getMessage());
                    return 1;
                });
        running = Await.inThread(() -> commands.execute(line.split(" +")));
    }

    /** Starts a command by its name, with arguments that blanks separate. */
    public static RunningCommand start(String line) {
        return new RunningCommand(new Commands(), line);
    }

    /** Starts a server, and waits until it listens on the port. */
    public static RunningCommand server(String line, int port) {
        RunningCommand server = start(line);
        Listeners.await(port);
        return server;
    }

    /** Runs a command to its end. */
    public static RunningCommand run(String line) throws InterruptedException {
        return run(new Commands(), line);
    }

    /** Runs a command that the test has made to its end. */
    static RunningCommand run(Object command, String line) throws InterruptedException {
        RunningCommand ended = new RunningCommand(command, line);
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

    /** Runs a client of it to its end, which must be a success. */
    void serves(String client) throws Exception {
        try (RunningCommand running = start(client)) {
            assertThat(running.status()).as("%s beside %s", running, this).isZero();
        }
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
        return line + " (" + (isRunning() ? "running" : "ended") + "), which said: " + output() + complaint();
    }
}
