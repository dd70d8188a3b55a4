// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Another process that holds a {@link RuntimeDirectory}. */
final class RuntimeDirectoryHolder implements AutoCloseable {
    private final Process process;
    private final Path directory;

    private RuntimeDirectoryHolder(Process process, Path directory) {
        this.process = process;
        this.directory = directory;
    }

    /** The process: makes a directory, says which, and keeps it until the end of its input. */
    public static void main(String[] arguments) throws IOException {
        try (RuntimeDirectory run = RuntimeDirectory.createIn(Path.of(arguments[0]))) {
            Files.createFile(run.resolve("control"));
            System.out.println(run.path());
            if (System.in.read() >= 0) {
                throw new IllegalStateException("nothing is to be written here");
            }
        }
    }

    static RuntimeDirectoryHolder start(Path temporary) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                RuntimeDirectoryHolder.class.getName(),
                temporary.toString());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = lines.readLine();
        if (line == null) {
            process.destroyForcibly();
            throw new AssertionError("the process made no directory");
        }
        return new RuntimeDirectoryHolder(process, Path.of(line));
    }

    Path directory() {
        return directory;
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
