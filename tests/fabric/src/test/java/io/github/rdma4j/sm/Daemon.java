// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of the simulated fabric that runs until it is closed, with its output in a file. */
final class Daemon implements AutoCloseable {
    private final String name;
    private final Path output;
    private final Process process;

    private Daemon(String name, Path output, Process process) {
        this.name = name;
        this.output = output;
        this.process = process;
    }

    /** Starts it in {@code directory}; its standard input is {@link #input()}. */
    static Daemon start(Path directory, Map<String, String> environment, List<String> command) {
        try {
            Path output =
                    Files.createTempFile(directory, Path.of(command.get(0)).getFileName() + "-", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            Orphans.add(process);
            return new Daemon(command.get(0), output, process);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot run " + command + "; Debian's ibsim-utils, libumad2sim0 and infiniband-diags have it", e);
        }
    }

    OutputStream input() {
        return process.getOutputStream();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String output() {
        return read(output);
    }

    static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until {@code file} holds {@code text} at or after {@code from}. */
    void awaitText(Path file, int from, String text) {
        Await.until("'" + text + "' in " + file, () -> read(file).indexOf(text, from) >= 0 || !process.isAlive());
        if (read(file).indexOf(text, from) < 0) {
            throw new AssertionError(this + " ended without '" + text + "' in " + file);
        }
    }

    void awaitOutput(String text) {
        awaitText(output, 0, text);
    }

    Path outputFile() {
        return output;
    }

    /** Stops it, and waits until all its threads stand still. */
    void suspend() {
        signal("STOP");
        Await.until("standstill of " + name, this::isStopped);
    }

    void resume() {
        signal("CONT");
    }

    private boolean isStopped() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return threads.allMatch(thread -> read(thread.resolve("stat")).contains(") T "));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start();
            if (kill.waitFor() != 0) {
                throw new AssertionError("no signal " + signal + " to " + this);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Ends it as if it had crashed. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Asks it to end, and waits until it has. */
    void terminate() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError(this + " did not end when it was told to");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            if (!process.isAlive()) {
                Orphans.remove(process);
            }
        }
    }

    /** The resident memory in kB, as the kernel counts it. */
    long residentKilobytes() {
        return read(Path.of("/proc", Long.toString(process.pid()), "status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }

    @Override
    public String toString() {
        return name + (process.isAlive() ? " (running)" : " (ended)") + ", which said: " + output();
    }
}
