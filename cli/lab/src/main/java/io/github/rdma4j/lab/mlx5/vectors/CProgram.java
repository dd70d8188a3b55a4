// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.vectors;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program in C that uses libibverbs and libmlx5 on a device that is not there, built from resources. Needs a C compiler,
 * libibverbs-dev and ibverbs-providers; neither a device nor a privilege.
 *
 * @param directory where the program is built and runs
 * @param name the name of the program
 */
public record CProgram(Path directory, String name) {
    private static final long SECONDS = 120;
    private static final String PACKAGES = "gcc, libc6-dev, libibverbs-dev and ibverbs-providers";

    /** The sysfs in which libibverbs finds the device; its node is the one of /dev/null, which programs open instead. */
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
     * @param others what is compiled with it
     * @param headers what the sources include
     */
    public record Sources(Class<?> place, String name, List<String> others, List<String> headers) {}

    /** Builds a program; {@code optimization} is an option of the compiler, such as {@code -O2}. */
    public static CProgram build(Path directory, Sources from, String optimization)
            throws IOException, InterruptedException {
        CProgram program = new CProgram(directory, from.name());
        List<String> sources = new ArrayList<>(List.of(from.name() + ".c"));
        sources.addAll(from.others());
        List<String> resources = new ArrayList<>(sources);
        resources.addAll(from.headers());
        for (String resource : resources) {
            try (InputStream in = from.place().getResourceAsStream(resource)) {
                Files.write(directory.resolve(resource), in.readAllBytes());
            }
        }
        for (Map.Entry<String, String> file : SYSFS.entrySet()) {
            Path path = directory.resolve("sys/class").resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue() + "\n");
        }
        // The program's ioctl and others must be the ones that the libraries find: -rdynamic.
        List<String> compiler = new ArrayList<>(List.of(
                "cc", "-std=gnu11", "-Wall", "-Werror", optimization, "-pthread", "-rdynamic", "-o", from.name()));
        compiler.addAll(sources);
        compiler.addAll(List.of("-libverbs", "-ldl"));
        try {
            program.run(Path.of("/dev/null"), compiler);
        } catch (IOException e) {
            throw new IOException(
                    "cannot build the program in C that calls libmlx5 (Debian packages " + PACKAGES + "): "
                            + e.getMessage(),
                    e);
        }
        return program;
    }

    /** The program with arguments, not started yet. Its errors go to a file. */
    public ProcessBuilder process(String... arguments) {
        List<String> command = new ArrayList<>(List.of(directory.resolve(name).toString()));
        command.addAll(List.of(arguments));
        return process(command);
    }

    private ProcessBuilder process(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(directory.resolve("errors").toFile());
        builder.environment().put("SYSFS_PATH", directory.resolve("sys").toString());
        return builder;
    }

    /** What the program has said of errors. */
    public String errors() throws IOException {
        return Files.readString(directory.resolve("errors"), StandardCharsets.UTF_8);
    }

    /** The lines that the program prints. */
    List<String> run(Path input, String... arguments) throws IOException, InterruptedException {
        return run(input, process(arguments).command());
    }

    private List<String> run(Path input, List<String> command) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = process(command)
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        if (!ended || process.exitValue() != 0) {
            throw new IOException(command + (ended ? " failed: " : " did not end: ") + errors());
        }
        return Files.readAllLines(output);
    }
}
