// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's NVMe target on an address of a device, with a file in memory as its only namespace. */
final class NvmeTarget implements AutoCloseable {
    static final String NAME = "nqn.2026-11.io.github.rdma4j:tests";

    private static final Path SETTINGS = Path.of("/sys/kernel/config");
    private static final Path ROOT = SETTINGS.resolve("nvmet");
    private static final Path SUBSYSTEM = ROOT.resolve("subsystems").resolve(NAME);
    private static final Path NAMESPACE = SUBSYSTEM.resolve("namespaces/1");
    private static final Path PORT = ROOT.resolve("ports/1");
    private static final Path EXPORT = PORT.resolve("subsystems").resolve(NAME);

    private final Path file;

    private NvmeTarget(Path file) {
        this.file = file;
    }

    /** A target that answers when this method returns. A kernel without the modules is a failure. */
    static NvmeTarget serve(String address, String port, int size) throws Exception {
        loadModules();
        Path file = Files.createTempFile(Path.of("/dev/shm"), "nvme", "");
        try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
            access.setLength(size);
        }
        NvmeTarget target = new NvmeTarget(file);
        Files.createDirectory(SUBSYSTEM);
        set(SUBSYSTEM.resolve("attr_allow_any_host"), "1");
        Files.createDirectory(NAMESPACE);
        set(NAMESPACE.resolve("device_path"), file.toString());
        set(NAMESPACE.resolve("buffered_io"), "1");
        set(NAMESPACE.resolve("enable"), "1");
        Files.createDirectory(PORT);
        set(PORT.resolve("addr_adrfam"), "ipv4");
        set(PORT.resolve("addr_trtype"), "rdma");
        set(PORT.resolve("addr_traddr"), address);
        set(PORT.resolve("addr_trsvcid"), port);
        Files.createSymbolicLink(EXPORT, SUBSYSTEM);
        return target;
    }

    private static void loadModules() throws Exception {
        try (Program modprobe = Program.start("modprobe", "nvmet-rdma")) {
            if (modprobe.status() != 0) {
                throw new AssertionError("the kernel of this guest has no NVMe target: " + modprobe.output());
            }
        }
        if (!Files.isDirectory(ROOT)) {
            Program.run("mount", "-t", "configfs", "none", SETTINGS.toString());
        }
    }

    private static void set(Path setting, String value) throws IOException {
        Files.writeString(setting, value);
    }

    /** What the namespace has in it, read past the target. */
    byte[] content() throws IOException {
        return Files.readAllBytes(file);
    }

    @Override
    public void close() throws IOException {
        Files.delete(EXPORT);
        Files.delete(PORT);
        Files.delete(NAMESPACE);
        Files.delete(SUBSYSTEM);
        Files.delete(file);
    }
}
