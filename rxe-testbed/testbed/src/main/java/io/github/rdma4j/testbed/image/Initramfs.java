// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Resource;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The guest's first file system: busybox, {@code init}, {@code agent.pl}, and the decompressed modules that are loaded
 * before the command starts.
 *
 * @param modules the directory of the kernel's modules
 * @param baseModules those with which the guest reaches the host's file system
 * @param nodeModules those of a guest that is one of several nodes
 * @param busybox the program, which has to be static
 */
record Initramfs(Path modules, List<String> baseModules, List<String> nodeModules, Path busybox) {
    /** The modules with which the guest reaches the host's file system. */
    static final List<String> BASE_MODULES = List.of("virtio_pci", "9pnet_virtio", "9p", "overlay", "virtio_console");

    /**
     * The device, its character devices and its network device. The verbs come before the connection manager: the
     * removal of a device is told to them in the reverse order, and the verbs wait for their users.
     */
    static final List<String> RXE_MODULES = List.of("veth", "ib_uverbs", "rdma_rxe", "rdma_ucm", "ib_umad");

    /**
     * On older kernels rxe requests the crc32 crypto module; loading it first avoids a search by /sbin/modprobe. Later
     * kernels compute the checksum in a library.
     */
    static final List<String> RXE_HELPERS = List.of("crc32_generic");

    /** Additional content for a guest that is one of several nodes. */
    static final List<String> NODE_MODULES = List.of("virtio_net");

    /** The image in its cache entry. */
    static final String FILE = "initramfs";

    /** A QEMU that another build of the testbed started may be about to read the image of that build. */
    private static final Duration UNUSED_BEFORE_PRUNED = Duration.ofMinutes(2);

    private static final Path BUSYBOX = Path.of("/bin/busybox");

    /** The same for User Mode Linux, whose kernel has built-in file systems. */
    static final List<String> UML_BASE_MODULES = List.of("rdma4j_port");

    /** With the root of the guest's programs, if this machine's do not run there. */
    static Initramfs ofQemu(Path modules, @Nullable Path programs) {
        Path busybox = programs == null ? BUSYBOX : programs.resolve("usr/bin/busybox");
        return new Initramfs(modules, BASE_MODULES, NODE_MODULES, busybox);
    }

    static Initramfs ofUml(Path modules) {
        return new Initramfs(modules, UML_BASE_MODULES, List.of(), BUSYBOX);
    }

    /** Changes with everything that the testbed puts into the image, except the kernel's modules. */
    static String fingerprint() {
        String lists =
                BASE_MODULES + ":" + UML_BASE_MODULES + ":" + RXE_HELPERS + ":" + RXE_MODULES + ":" + NODE_MODULES;
        int hash = Resource.hash(7, List.of("guest/init", "guest/agent.pl", "guest/node.pl"));
        return Integer.toHexString(31 * hash + Arrays.hashCode(lists.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Finds the cache entry with the image; makes it at the first use, and prunes older entries with this prefix.
     *
     * @param kernel tells the kernels of entries with the same prefix apart; may be empty
     */
    Path entry(String prefix, String kernel, boolean thorough, Workshop shop)
            throws TestbedException, InterruptedException {
        CacheSeal.Check check = new CacheSeal.Check(FILE, thorough, shop.progress());
        Path entry = shop.cache().entry(prefix + kernel + fingerprint(), check, target -> {
            write(Files.createDirectory(target).resolve(FILE));
            new CacheSeal(target).write();
        });
        shop.cache().prune(prefix, entry, UNUSED_BEFORE_PRUNED);
        return entry;
    }

    void write(Path target) throws IOException, TestbedException, InterruptedException {
        ModuleTree tree = new ModuleTree(modules);
        List<String> base = tree.loadable(baseModules);
        List<String> rxe = Stream.concat(tree.existing(RXE_HELPERS).stream(), tree.loadable(RXE_MODULES).stream())
                .toList();
        List<String> node = tree.loadable(nodeModules);
        try (CpioArchive archive = new CpioArchive(new BufferedOutputStream(Files.newOutputStream(target)))) {
            for (String directory : List.of("bin", "dev", "lib", "lib/modules", "proc", "sys")) {
                archive.directory(directory);
            }
            archive.characterDevice("dev/console", 5, 1);
            archive.file("bin/busybox", busybox(busybox));
            archive.file("init", Resource.bytes("guest/init"));
            archive.file("agent.pl", Resource.bytes("guest/agent.pl"));
            archive.file("node.pl", Resource.bytes("guest/node.pl"));
            archive.file("modules.base", String.join(" ", base).getBytes(StandardCharsets.US_ASCII));
            archive.file("modules.rxe", String.join(" ", rxe).getBytes(StandardCharsets.US_ASCII));
            archive.file("modules.node", String.join(" ", node).getBytes(StandardCharsets.US_ASCII));
            Set<String> names = tree.closure(
                    Stream.of(base, rxe, node).flatMap(List::stream).toList());
            writeModules(archive, tree, names, target.resolveSibling(target.getFileName() + ".ko"));
        }
    }

    private void writeModules(CpioArchive archive, ModuleTree tree, Set<String> names, Path scratch)
            throws IOException, TestbedException, InterruptedException {
        String directory = "lib/modules/" + modules.getFileName();
        archive.directory(directory);
        StringBuilder dependencies = new StringBuilder();
        for (String name : names) {
            archive.file(directory + "/" + name + ".ko", decompressed(tree.file(name), scratch));
            dependencies.append(name).append(".ko:");
            dependencies.append(tree.dependenciesOf(name).stream()
                    .map(dependency -> " " + dependency + ".ko")
                    .collect(Collectors.joining()));
            dependencies.append('\n');
        }
        archive.file(directory + "/modules.dep", dependencies.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] decompressed(Path module, Path scratch)
            throws IOException, TestbedException, InterruptedException {
        if (module.toString().endsWith(".ko")) {
            return Files.readAllBytes(module);
        }
        Tool.filter(List.of(module.toString().endsWith(".xz") ? "xz" : "zstd", "-dc"), module, scratch);
        byte[] content = Files.readAllBytes(scratch);
        Files.delete(scratch);
        return content;
    }

    private static byte[] busybox(Path file) throws IOException, TestbedException {
        if (!Files.isExecutable(file)) {
            throw new TestbedException("no " + file + ": install the package busybox-static");
        }
        byte[] program = Files.readAllBytes(file);
        // PT_INTERP names the dynamic loader, which the initramfs lacks.
        if (new String(program, 0, Math.min(program.length, 4096), StandardCharsets.ISO_8859_1).contains("/ld-linux")) {
            throw new TestbedException(file + " is not static: install busybox-static in place of busybox");
        }
        return program;
    }

    /**
     * Writes archives in the format of initramfs images, "newc" (Linux {@code
     * driver-api/early-userspace/buffer-format}).
     */
    static final class CpioArchive implements AutoCloseable {
        private static final int DIRECTORY = 0040755;
        private static final int EXECUTABLE = 0100755;
        private static final int CHARACTER_DEVICE = 0020600;

        private final OutputStream out;
        private int inode;

        CpioArchive(OutputStream out) {
            this.out = out;
        }

        void directory(String name) throws IOException {
            entry(name, DIRECTORY, 0, 0, new byte[0]);
        }

        void file(String name, byte[] content) throws IOException {
            entry(name, EXECUTABLE, 0, 0, content);
        }

        void characterDevice(String name, int major, int minor) throws IOException {
            entry(name, CHARACTER_DEVICE, major, minor, new byte[0]);
        }

        private void entry(String name, int mode, int major, int minor, byte[] content) throws IOException {
            byte[] path = name.getBytes(StandardCharsets.UTF_8);
            // magic, ino, mode, uid, gid, nlink, mtime, filesize, devmajor, devminor, rdevmajor, rdevminor, namesize,
            // check
            int[] fields = {++inode, mode, 0, 0, 1, 0, content.length, 0, 0, major, minor, path.length + 1, 0};
            StringBuilder header = new StringBuilder("070701");
            for (int field : fields) {
                header.append(String.format("%08x", field));
            }
            out.write(header.toString().getBytes(StandardCharsets.US_ASCII));
            out.write(path);
            out.write(0);
            pad(header.length() + path.length + 1);
            out.write(content);
            pad(content.length);
        }

        private void pad(int written) throws IOException {
            out.write(new byte[-written & 3]);
        }

        @Override
        public void close() throws IOException {
            entry("TRAILER!!!", 0, 0, 0, new byte[0]);
            out.close();
        }
    }
}
