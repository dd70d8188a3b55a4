// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.guest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Another program, with the lines of both its outputs. Closing kills it if it still runs. */
public final class Program implements AutoCloseable {
    private final List<String> command;
    private final Process process;
    private final Await.Running<Boolean> reader;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private Program(List<String> command) {
        this.command = command;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        }
        reader = Await.inThread(this::read);
    }

    public static Program start(String... command) {
        return new Program(List.of(command));
    }

    public static Program start(List<String> command) {
        return new Program(List.copyOf(command));
    }

    /** Runs a program to its end, which must be a success; returns its output. */
    public static String run(String... command) throws InterruptedException {
        try (Program program = start(command)) {
            return program.success();
        }
    }

    private boolean read() throws IOException {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        }
        return true;
    }

    public long pid() {
        return process.pid();
    }

    /** The output so far. */
    public String output() {
        return String.join("\n", lines);
    }

    /** Waits for {@code text} in the output. */
    public void awaitOutput(String text) {
        Await.until(text + " from " + this, () -> output().contains(text) || !process.isAlive());
        if (!output().contains(text)) {
            throw new AssertionError(this + " ended without printing " + text);
        }
    }

    /** Sends SIGKILL and waits for the end. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Waits for the end and returns the exit status. */
    public int status() throws InterruptedException {
        if (!process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError(this + " does not end");
        }
        try {
            reader.result();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("output of " + this, e);
        }
        return process.exitValue();
    }

    /** Waits for the end, which must be a success, and returns the output. */
    public String success() throws InterruptedException {
        if (status() != 0) {
            throw new AssertionError("status " + process.exitValue() + " of " + this);
        }
        return output();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return command.get(0) + " " + command.get(command.size() - 1) + (process.isAlive() ? " (running)" : " (ended)")
                + ", output: " + output();
    }
}
