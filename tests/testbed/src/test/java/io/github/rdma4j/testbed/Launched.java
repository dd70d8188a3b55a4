// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A testbed command line that runs as a process of its own, as users start it. */
final class Launched implements AutoCloseable {
    /** The testbed as the launcher runs it. */
    static final Path CLASSES =
            Path.of("../../rxe-testbed/testbed/target/classes").toAbsolutePath().normalize();

    /** Far more than any of these needs on a busy machine; a test that gets here has failed. */
    private static final int LIMIT_SECONDS = 100;

    final Process process;
    private final CompletableFuture<byte[]> errors;

    private Launched(ProcessBuilder builder) throws IOException {
        process = builder.start();
        errors = CompletableFuture.supplyAsync(() -> readAll(process.getErrorStream()), Launched::startThread);
    }

    /**
     * What a run left behind.
     *
     * @param output standard output, one character per byte
     */
    record Outcome(int status, String output, String errors) {
        byte[] bytes() {
            return output.getBytes(StandardCharsets.ISO_8859_1);
        }

        /** Standard output as text. */
        String text() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }
    }

    static Launched start(String... arguments) throws IOException {
        return start(builder(arguments));
    }

    static Launched start(ProcessBuilder builder) throws IOException {
        return new Launched(builder);
    }

    static ProcessBuilder builder(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                CLASSES.toString(),
                "io.github.rdma4j.testbed.TestbedMain"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        // Whether or not the cache has a kernel of User Mode Linux; UmlIT asks for that.
        builder.environment().put(Backend.VARIABLE, Backend.VM.label());
        return builder;
    }

    /** Runs to the end with nothing as standard input. */
    static Outcome run(String... arguments) throws Exception {
        return run(builder(arguments), new byte[0]);
    }

    static Outcome run(ProcessBuilder builder, byte[] input) throws Exception {
        try (Launched launched = new Launched(builder)) {
            return launched.finish(input);
        }
    }

    Outcome finish(byte[] input) throws Exception {
        CompletableFuture<byte[]> output =
                CompletableFuture.supplyAsync(() -> readAll(process.getInputStream()), Launched::startThread);
        try (OutputStream in = process.getOutputStream()) {
            in.write(input);
        }
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("still running: " + process.info().commandLine());
        }
        return new Outcome(
                process.exitValue(),
                new String(output.get(), StandardCharsets.ISO_8859_1),
                new String(errors.get(), StandardCharsets.UTF_8));
    }

    /** Reads one line of standard output, without taking a byte more. */
    String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = process.getInputStream().read(); next >= 0 && next != '\n'; ) {
            line.write(next);
            next = process.getInputStream().read();
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    void signal(String name) throws Exception {
        int status = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
        if (status != 0) {
            throw new AssertionError("kill ended with " + status);
        }
    }

    /** Kills a process, as the cancellation of a build does, and waits for the end of what it had started. */
    static void killAndAwaitDescendants(Process process) throws Exception {
        List<ProcessHandle> descendants = process.descendants().toList();
        assertThat(descendants).isNotEmpty();
        process.destroyForcibly().waitFor();
        awaitEnd(descendants);
    }

    static void awaitEnd(Collection<ProcessHandle> processes) throws Exception {
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ends).get(60, TimeUnit.SECONDS);
    }

    /** The guests of a process. A guest in User Mode Linux is a child of what holds it. */
    static Set<ProcessHandle> guests(ProcessHandle launcher) {
        return launcher.descendants()
                .filter(process -> {
                    String program = process.info().command().orElse("");
                    return program.contains("qemu-system") || program.endsWith("/linux");
                })
                .collect(Collectors.toSet());
    }

    private static byte[] readAll(java.io.InputStream in) {
        try {
            return in.readAllBytes();
        } catch (IOException e) {
            return new byte[0];
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** A thread for each reader: the common pool may have a single one, and both have to read at a time. */
    private static void startThread(Runnable reader) {
        Thread thread = new Thread(reader, "reader");
        thread.setDaemon(true);
        thread.start();
    }
}
