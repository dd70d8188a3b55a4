// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.guest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another program, with both its outputs in a file. Closing kills it if it still runs. */
public final class Program implements AutoCloseable {
    private final List<String> command;
    private final Path output;
    private final Process process;

    private Program(List<String> command) {
        this.command = command;
        try {
            output = Files.createTempFile("program", ".out");
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        }
    }

    public static Program start(List<String> command) {
        return new Program(List.copyOf(command));
    }

    /** Runs a program to its end, which must be a success. */
    public static void run(String... command) throws InterruptedException {
        try (Program program = start(List.of(command))) {
            program.success();
        }
    }

    public long pid() {
        return process.pid();
    }

    /** The output so far. */
    private String output() {
        try {
            return new String(Files.readAllBytes(output), StandardCharsets.UTF_8).stripTrailing();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    /** Waits for the end, which must be a success, and returns the output. */
    public String success() throws InterruptedException {
        if (!process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError(this + " does not end");
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("status " + process.exitValue() + " of " + this);
        }
        return output();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        output.toFile().delete();
    }

    @Override
    public String toString() {
        return command.get(0) + " " + command.get(command.size() - 1) + (process.isAlive() ? " (running)" : " (ended)")
                + ", output: " + output();
    }
}
