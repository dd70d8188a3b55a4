// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.cost;

import io.github.rdma4j.lab.mlx5.vectors.CProgram;
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
 * The kernel in C as a library, {@code pace.c} linked with it, and {@code CostPace} in a JVM of its own that loads it. Needs a C
 * compiler, libibverbs-dev, librdmacm-dev and ibverbs-providers; neither a device nor a privilege.
 *
 * @param directory where the programs are built and run
 */
record CostPrograms(Path directory) {
    private static final long SECONDS = 300;
    private static final String PACKAGES = "gcc, libc6-dev, libibverbs-dev, librdmacm-dev and ibverbs-providers";
    private static final List<String> COMPILER = List.of("cc", "-std=gnu11", "-Wall", "-Werror", "-O2");

    /** The sysfs in which the libraries find the devices; their nodes have the number of /dev/null, which is opened instead. */
    private static final Map<String, String> SYSFS = Map.of(
            "infiniband_verbs/abi_version", "6",
            "infiniband_verbs/uverbs0/abi_version", "2",
            "infiniband_verbs/uverbs0/dev", "1:3",
            "infiniband_verbs/uverbs0/ibdev", "rxe0",
            "infiniband/rxe0/node_type", "1: CA",
            "infiniband/rxe0/node_guid", "0000:0000:0000:1234",
            "misc/rdma_cm/dev", "1:3",
            "misc/rdma_cm/abi_version", "4");

    /** Builds the library and the program in C. */
    static CostPrograms build(Path directory) throws IOException, InterruptedException {
        copy(CostPrograms.class, directory, List.of("kernel.h", "kernel.c", "pace.c"));
        copy(CProgram.class, directory, List.of("pace.h"));
        CostPrograms programs = new CostPrograms(directory);
        for (Map.Entry<String, String> file : SYSFS.entrySet()) {
            Path path = programs.sysfs().resolve("class").resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue() + "\n");
        }
        try {
            programs.compile("-fPIC", "-shared", "-o", programs.library().toString(), "kernel.c", "-ldl");
            programs.compile(
                    "-o",
                    "pace",
                    "pace.c",
                    programs.library().toString(),
                    "-Wl,-rpath," + directory,
                    "-lrdmacm",
                    "-libverbs");
        } catch (IOException e) {
            throw new IOException(
                    "cannot build the programs in C (Debian packages " + PACKAGES + "): " + e.getMessage(), e);
        }
        return programs;
    }

    private static void copy(Class<?> place, Path directory, List<String> resources) throws IOException {
        for (String resource : resources) {
            try (InputStream in = place.getResourceAsStream(resource)) {
                Files.write(directory.resolve(resource), in.readAllBytes());
            }
        }
    }

    private void compile(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(COMPILER);
        command.addAll(List.of(arguments));
        run(command);
    }

    private Path library() {
        return directory.resolve("libkernel.so");
    }

    private Path sysfs() {
        return directory.resolve("sys");
    }

    /** The lines of {@code pace.c}. */
    List<String> measureC(int milliseconds, int iterations) throws IOException, InterruptedException {
        return run(List.of(
                directory.resolve("pace").toString(), String.valueOf(milliseconds), String.valueOf(iterations)));
    }

    /** The lines of {@link CostPace}, which runs so many batches before it measures. */
    List<String> measureJava(int milliseconds, int iterations, int warmUps) throws IOException, InterruptedException {
        return run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CostPace.class.getName(),
                String.valueOf(milliseconds),
                String.valueOf(iterations),
                String.valueOf(warmUps),
                library().toString(),
                sysfs().toString()));
    }

    private List<String> run(List<String> command) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Path errors = directory.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("SYSFS_PATH", sysfs().toString());
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
