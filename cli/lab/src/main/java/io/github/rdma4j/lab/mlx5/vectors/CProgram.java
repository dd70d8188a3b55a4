// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.vectors;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program in C, built from resources, that uses a library of rdma-core on a device that is not there. It needs a C compiler and
 * Debian packages, and neither a device nor a privilege.
 *
 * @param directory where the program is built and runs
 * @param name the name of the program
 */
public record CProgram(Path directory, String name) {
    private static final long SECONDS = 300;
    private static final String PACKAGES = "gcc, libc6-dev, libibverbs-dev and ibverbs-providers";

    /** The sysfs in which libibverbs finds the device. Its node is the one of /dev/null, which programs open instead. */
    private static final Map<String, String> SYSFS = Map.of(
            "infiniband_verbs/abi_version", "6",
            "infiniband_verbs/uverbs0/abi_version", "1",
            "infiniband_verbs/uverbs0/dev", "1:3",
            "infiniband_verbs/uverbs0/ibdev", "mlx5_0",
            "infiniband/mlx5_0/node_type", "1: CA",
            "infiniband/mlx5_0/node_guid", "0000:0000:0000:1234",
            "infiniband/mlx5_0/fw_ver", "16.35.2000",
            "infiniband/mlx5_0/device/modalias", "pci:v000015B3d00001017sv000015B3sd00000006bc02sc00i00");

    /**
     * Resources beside a class.
     *
     * @param place the class
     * @param name of the program, whose first source is {@code name}.c
     * @param others the other sources
     * @param headers what the sources include
     */
    public record Sources(Class<?> place, String name, List<String> others, List<String> headers) {}

    /** Builds a program with libmlx5; {@code optimization} is an option of the compiler, such as {@code -O2}. */
    public static CProgram build(Path directory, Sources from, String optimization)
            throws IOException, InterruptedException {
        List<String> sources = new ArrayList<>(List.of(from.name() + ".c"));
        sources.addAll(from.others());
        copy(from.place(), directory, sources);
        copy(from.place(), directory, from.headers());
        makeSysfs(directory, SYSFS);
        // The program's ioctl and others must be the ones that the libraries find: -rdynamic.
        List<String> options = new ArrayList<>(List.of(optimization, "-pthread", "-rdynamic", "-o", from.name()));
        options.addAll(sources);
        options.addAll(List.of("-libverbs", "-ldl"));
        compile(directory, PACKAGES, options);
        return new CProgram(directory, from.name());
    }

    /** Copies resources beside a class into the directory. */
    public static void copy(Class<?> place, Path directory, List<String> resources) throws IOException {
        for (String resource : resources) {
            try (InputStream in = place.getResourceAsStream(resource)) {
                Files.write(directory.resolve(resource), in.readAllBytes());
            }
        }
    }

    /** Writes the sysfs of the programs in the directory: the text of each file by its path in {@code class}. */
    public static void makeSysfs(Path directory, Map<String, String> files) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = sysfs(directory).resolve("class").resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue() + "\n");
        }
    }

    /** The sysfs of the programs in the directory. */
    public static Path sysfs(Path directory) {
        return directory.resolve("sys");
    }

    /** Runs the C compiler; {@code packages} are the Debian packages that a message names. */
    public static void compile(Path directory, String packages, List<String> options)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("cc", "-std=gnu11", "-Wall", "-Werror"));
        command.addAll(options);
        try {
            run(directory, Path.of("/dev/null"), command);
        } catch (IOException e) {
            throw new IOException(
                    "cannot build the program in C (Debian packages " + packages + "): " + e.getMessage(), e);
        }
    }

    /** The program with arguments, not started yet. Its errors go to a file. */
    public ProcessBuilder process(String... arguments) {
        List<String> command = new ArrayList<>(List.of(directory.resolve(name).toString()));
        command.addAll(List.of(arguments));
        return process(directory, command);
    }

    private static ProcessBuilder process(Path directory, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(directory.resolve("errors").toFile());
        builder.environment().put("SYSFS_PATH", sysfs(directory).toString());
        return builder;
    }

    /** What the program has said of errors. */
    public String errors() throws IOException {
        return errors(directory);
    }

    private static String errors(Path directory) throws IOException {
        return Files.readString(directory.resolve("errors"), StandardCharsets.UTF_8);
    }

    /** The lines that the program prints. */
    List<String> run(Path input, String... arguments) throws IOException, InterruptedException {
        return run(directory, input, process(arguments).command());
    }

    /** Runs a command in the directory, with its sysfs; returns the lines that the command prints. */
    public static List<String> run(Path directory, Path input, List<String> command)
            throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = process(directory, command)
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        if (!ended || process.exitValue() != 0) {
            throw new IOException(command + (ended ? " failed: " : " did not end: ") + errors(directory));
        }
        return Files.readAllLines(output);
    }

    /** Deletes the directory of a program. */
    public static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
