// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.exec.ExecChannel;
import io.github.rdma4j.testbed.host.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A command that runs on a node; it resembles {@link Process}. A command whose output is not read stops when about 300
 * kB wait for a reader; other commands of the node go on. Thread-safe.
 *
 * <p>Every wait ends when the command ends, when the node ends or the testbed is closed (with an {@link IOException}),
 * or when the waiting thread is interrupted: a read or a write then throws {@link java.io.InterruptedIOException}, and
 * the thread stays interrupted.
 */
public final class GuestProcess implements AutoCloseable {
    private final ExecChannel channel;
    private final Command command;
    private final long pid;

    GuestProcess(ExecChannel channel, Command command) throws IOException {
        this.channel = channel;
        this.command = command;
        pid = channel.pid();
    }

    /** The process id on the node; 0 if the node could not start a process; standard error has the reason. */
    public long pid() {
        return pid;
    }

    /** The command's standard input. Closing the stream ends the input. */
    public OutputStream stdin() {
        return channel.input();
    }

    /** The command's standard output. After the stream is closed, the command's writes fail with a broken pipe. */
    public InputStream stdout() {
        return channel.output();
    }

    /** The command's standard error. After the stream is closed, the command's writes fail with a broken pipe. */
    public InputStream stderr() {
        return channel.error();
    }

    /** Whether the command has not ended, as far as this machine knows. */
    public boolean isAlive() {
        return !channel.hasEnded();
    }

    /**
     * Waits for the end of the command.
     *
     * @return the status, see {@link ExecResult#status}
     */
    public int waitFor() throws IOException, InterruptedException {
        channel.awaitExit(Deadline.never());
        return exitValue();
    }

    /** As {@link #waitFor()}, with a limit; returns whether the command has ended. */
    public boolean waitFor(Duration limit) throws IOException, InterruptedException {
        return channel.awaitExit(Deadline.after(limit));
    }

    /**
     * The status of a command that has ended, see {@link ExecResult#status}.
     *
     * @throws IllegalStateException if the command has not ended
     */
    public int exitValue() throws IOException {
        if (isAlive()) {
            throw new IllegalStateException(command + " has not ended");
        }
        return channel.status();
    }

    /**
     * Completes with the status, or exceptionally if the node ends first. Dependent stages may read the rest of the
     * output, as with {@link Process#onExit}.
     */
    public CompletableFuture<Integer> onExit() {
        return channel.exit();
    }

    /** Sends a signal to the process of the command; does nothing if the command has ended. */
    public void signal(Signal signal) {
        channel.signal(signal.number(), false);
    }

    /** Sends a signal to the process group of the command, for example to a shell and its children. */
    public void signalGroup(Signal signal) {
        channel.signal(signal.number(), true);
    }

    /** Sends {@link Signal#TERM} to the process group. */
    public void destroy() {
        signalGroup(Signal.TERM);
    }

    /** Sends {@link Signal#KILL} to the process group. */
    public void destroyForcibly() {
        signalGroup(Signal.KILL);
    }

    /** Kills the process group and closes the streams. Does not wait for the end of the command. */
    @Override
    public void close() throws IOException {
        destroyForcibly();
        stdin().close();
        stdout().close();
        stderr().close();
    }

    @Override
    public String toString() {
        return command + " (process " + pid + ")";
    }

    /** A signal of {@code signal(7)}, with Linux's number on amd64. */
    public enum Signal {
        HUP(1),
        INT(2),
        QUIT(3),
        ABRT(6),
        KILL(9),
        USR1(10),
        SEGV(11),
        USR2(12),
        PIPE(13),
        ALRM(14),
        TERM(15),
        CONT(18),
        STOP(19);

        private final int number;

        Signal(int number) {
            this.number = number;
        }

        /**
         * The number of the signal, such as 9 for {@link #KILL}. A command that the signal killed has the status 128
         * plus this number.
         */
        public int number() {
            return number;
        }
    }
}
