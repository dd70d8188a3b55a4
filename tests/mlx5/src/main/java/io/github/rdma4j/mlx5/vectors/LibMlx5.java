// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.mlx5.vectors;

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
 * Plays scripts on libmlx5, by a program in C that is built from the resources of this package. Needs a C compiler,
 * libibverbs-dev and ibverbs-providers; neither a device nor a privilege.
 */
public final class LibMlx5 {
    private static final List<String> SOURCES = List.of("player.c", "kernel.c", "kernel.h");
    private static final long SECONDS = 120;
    private static final String PACKAGES = "gcc, libc6-dev, libibverbs-dev and ibverbs-providers";

    /** The program's ioctl and others must be the ones that the libraries find, so its symbols are exported. */
    private static final List<String> COMPILE = List.of(
            "cc",
            "-std=gnu11",
            "-Wall",
            "-Werror",
            "-O1",
            "-rdynamic",
            "-o",
            "player",
            "player.c",
            "kernel.c",
            "-libverbs",
            "-ldl");

    /** The sysfs in which libibverbs finds the device; its node is the one of /dev/null, which the program opens instead. */
    private static final Map<String, String> SYSFS = Map.of(
            "infiniband_verbs/abi_version", "6",
            "infiniband_verbs/uverbs0/abi_version", "1",
            "infiniband_verbs/uverbs0/dev", "1:3",
            "infiniband_verbs/uverbs0/ibdev", "mlx5_0",
            "infiniband/mlx5_0/node_type", "1: CA",
            "infiniband/mlx5_0/node_guid", "0000:0000:0000:1234",
            "infiniband/mlx5_0/fw_ver", "16.35.2000",
            "infiniband/mlx5_0/device/modalias", "pci:v000015B3d00001017sv000015B3sd00000006bc02sc00i00");

    private final Path directory;

    private LibMlx5(Path directory) {
        this.directory = directory;
    }

    /** Builds the program in {@code directory}. */
    public static LibMlx5 build(Path directory) throws IOException, InterruptedException {
        for (String source : SOURCES) {
            try (InputStream in = LibMlx5.class.getResourceAsStream(source)) {
                Files.write(directory.resolve(source), in.readAllBytes());
            }
        }
        for (Map.Entry<String, String> file : SYSFS.entrySet()) {
            Path path = directory.resolve("sys/class").resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue() + "\n");
        }
        LibMlx5 built = new LibMlx5(directory);
        try {
            built.run(Path.of("/dev/null"), COMPILE);
        } catch (IOException e) {
            throw new IOException(
                    "cannot build the program in C that calls libmlx5 (Debian packages " + PACKAGES + "): "
                            + e.getMessage(),
                    e);
        }
        return built;
    }

    /** What a device sees of {@code script}, with the lines of the script. */
    public List<String> play(Mode mode, List<String> script) throws IOException, InterruptedException {
        Path input = Files.write(directory.resolve("script"), script);
        List<String> command =
                new ArrayList<>(List.of(directory.resolve("player").toString()));
        command.addAll(mode.arguments());
        return run(input, command);
    }

    private List<String> run(Path input, List<String> command) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Path errors = directory.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("SYSFS_PATH", directory.resolve("sys").toString());
        Process process = builder.start();
        boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        if (!ended || process.exitValue() != 0) {
            throw new IOException(command
                    + (ended ? " failed: " : " did not end: ")
                    + Files.readString(errors, StandardCharsets.UTF_8));
        }
        return Files.readAllLines(output);
    }
}
