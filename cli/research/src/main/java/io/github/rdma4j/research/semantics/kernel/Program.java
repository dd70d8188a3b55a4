// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Another program, with both its outputs in a file. Closing kills it if it still runs. */
public final class Program implements AutoCloseable {
    private final List<String> command;
    private final Path output;
    private final Process process;

    private Program(List<String> command) {
        this.command = command;
        try {
            output = Files.createTempFile("program", ".out");
            output.toFile().deleteOnExit();
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

    /**
     * Starts a verb of {@code cm.pl}: the commands of the connection manager from a process of another kind, in another
     * network namespace, forked, interrupted by a signal, killed. What a JVM cannot be or takes seconds to become is a
     * small program in Perl, a language that every Debian has.
     */
    public static Program helper(List<String> verb) throws IOException {
        return helper(List.of(), verb);
    }

    /** A verb of {@code cm.pl} to its end; returns what it said, in one line. */
    public static String said(String... verb) throws IOException, InterruptedException {
        return said(List.of(), verb);
    }

    /** The same as root without a single capability. */
    public static String saidUnprivileged(String... verb) throws IOException, InterruptedException {
        return said(List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all"), verb);
    }

    private static String said(List<String> prefix, String... verb) throws IOException, InterruptedException {
        try (Program program = helper(prefix, List.of(verb))) {
            return program.success().replace("\n", "; ");
        }
    }

    private static Program helper(List<String> prefix, List<String> verb) throws IOException {
        Path script = Files.createTempFile("cm", ".pl");
        script.toFile().deleteOnExit();
        try (InputStream in = Objects.requireNonNull(Program.class.getResourceAsStream("/semantics/cm.pl"), "cm.pl")) {
            Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("perl", script.toString()));
        command.addAll(verb);
        return start(command);
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

    /** The lines of the output so far. */
    private String output() {
        try {
            return new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                    .lines()
                    .collect(Collectors.joining("\n"));
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
