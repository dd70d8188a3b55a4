// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.Resource;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import io.github.rdma4j.testbed.image.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The library from {@code pvrdma-backend.c}. Preloaded into QEMU, it replaces the RDMA device of the host and the
 * daemon {@code rdmacm-mux}, which QEMU's device {@code pvrdma} needs.
 */
public final class PvrdmaBackend {
    private static final String SOURCE = "pvrdma-backend.c";
    private static final String LIBRARY = "pvrdma-backend.so";

    /** The device's name in the library. */
    static final String DEVICE = "rdma4j";

    /** The variable with the library's socket, which replaces the socket of {@code rdmacm-mux}. */
    static final String MULTIPLEXER = "RDMA4J_PVRDMA_MUX";

    private PvrdmaBackend() {}

    /** Finds the library in the cache; compiles it at its first use. Fails if this machine's QEMU lacks the device. */
    public static Path prepare(Workshop shop) throws TestbedException, InterruptedException {
        requireDevice();
        byte[] source = Resource.bytes("qemu/" + SOURCE);
        String name = "pvrdma-backend-" + Integer.toHexString(Arrays.hashCode(source));
        Path library = shop.cache()
                .entry(name, target -> compile(source, Files.createDirectories(target), shop.progress()))
                .resolve(LIBRARY);
        if (library.toString().matches(".*[ :].*")) {
            throw new TestbedException(library
                    + " has a space or a colon, and goes into LD_PRELOAD: name another directory" + " in RDMA4J_CACHE");
        }
        return library;
    }

    private static void requireDevice() throws TestbedException, InterruptedException {
        if (!Tool.run(QemuHypervisor.PROGRAM, "-device", "help").contains("\"pvrdma\"")) {
            String version = Tool.run(QemuHypervisor.PROGRAM, "--version")
                    .lines()
                    .findFirst()
                    .orElse("this QEMU");
            throw new TestbedException(version
                    + " has no device pvrdma: QEMU had it from 2.12 to 9.0, and Debian has it" + " up to Debian 12");
        }
    }

    private static void compile(byte[] source, Path target, Progress progress)
            throws TestbedException, IOException, InterruptedException {
        progress.step("compiling the device behind QEMU's pvrdma");
        Files.write(target.resolve(SOURCE), source);
        try {
            Tool.runIn(
                    target,
                    List.of("gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-pthread", "-o", LIBRARY, SOURCE));
        } catch (Tool.FailureException e) {
            throw e.output().contains("infiniband/verbs.h")
                    ? new TestbedException(
                            "the device behind QEMU's pvrdma is compiled with the headers of libibverbs:"
                                    + " install libibverbs-dev and libc6-dev",
                            e)
                    : e;
        }
    }
}
