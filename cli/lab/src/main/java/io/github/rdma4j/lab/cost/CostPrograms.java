// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.cost;

import io.github.rdma4j.lab.mlx5.vectors.CProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The kernel in C as a library, {@code pace.c} linked with it, and {@code CostPace} in a JVM of its own that loads it. Needs a C
 * compiler, libibverbs-dev, librdmacm-dev and ibverbs-providers; neither a device nor a privilege.
 *
 * @param directory where the programs are built and run
 */
record CostPrograms(Path directory) {
    private static final String PACKAGES = "gcc, libc6-dev, libibverbs-dev, librdmacm-dev and ibverbs-providers";

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
        CProgram.copy(CostPrograms.class, directory, List.of("kernel.h", "kernel.c", "pace.c"));
        CProgram.copy(CProgram.class, directory, List.of("pace.h"));
        CProgram.makeSysfs(directory, SYSFS);
        CostPrograms programs = new CostPrograms(directory);
        String library = programs.library().toString();
        CProgram.compile(directory, PACKAGES, List.of("-O2", "-fPIC", "-shared", "-o", library, "kernel.c", "-ldl"));
        String path = "-Wl,-rpath," + directory;
        CProgram.compile(
                directory, PACKAGES, List.of("-O2", "-o", "pace", "pace.c", library, path, "-lrdmacm", "-libverbs"));
        return programs;
    }

    private Path library() {
        return directory.resolve("libkernel.so");
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
                CProgram.sysfs(directory).toString()));
    }

    private List<String> run(List<String> command) throws IOException, InterruptedException {
        return CProgram.run(directory, Path.of("/dev/null"), command);
    }
}
