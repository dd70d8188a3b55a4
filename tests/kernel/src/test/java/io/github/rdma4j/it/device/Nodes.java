// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.device;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A second set of the RDMA device nodes, whose permissions a test may change without getting in the others' way. */
final class Nodes {
    private Nodes() {}

    /** The running kernel with its nodes in another directory. */
    static Kernel kernel(Path dev) {
        LinuxKernel running = LinuxKernel.running();
        return new LinuxKernel(running.syscalls(), running.sysfs(), dev);
    }

    /** A new directory under /dev with nodes of the same numbers. */
    static Path copy() throws IOException, InterruptedException {
        Path dev = Files.createTempDirectory(Path.of("/dev"), "rdma4j");
        Program.run("chmod", "755", dev.toString());
        Program.run("cp", "-a", "/dev/infiniband", dev.resolve("infiniband").toString());
        return dev;
    }

    static List<Path> of(Path dev) throws IOException {
        try (Stream<Path> nodes = Files.list(dev.resolve("infiniband"))) {
            return nodes.toList();
        }
    }

    static void delete(Path dev) throws InterruptedException {
        Program.run("rm", "-r", dev.toString());
    }
}
