// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that is ready to boot.
 *
 * @param kernel the ELF kernel, or the kernel in the format of arm64
 * @param initramfs its first file system
 * @param modules the directory of all its modules, named by the kernel's version
 * @param architecture the processor of its guests
 * @param programs the root of its guests' programs; null if this machine's programs run there
 */
public record KernelImage(
        Path kernel,
        Path initramfs,
        Path modules,
        Architecture architecture,
        @Nullable Path programs) {
    private static final String KERNEL = "vmlinux";
    private static final String KERNEL_ENTRY = "kernel-";
    private static final String INITRAMFS_ENTRY = "initramfs-";

    /** "ARM\\x64", where the kernel's documents (arch/arm64/booting) say. */
    private static final int ARM64_MAGIC = 0x644d5241;

    private static final int ARM64_MAGIC_OFFSET = 56;

    /** Another version of the testbed may use another kernel of the series on this machine. */
    static final Duration OLD_KERNEL = Duration.ofDays(30);

    /**
     * Finds the kernel in the cache; downloads and prepares it at its first use, and when it is damaged.
     *
     * @param thorough whether to read all files, and not only to check the files that boot
     */
    public static KernelImage of(KernelRelease release, boolean thorough, Workshop shop)
            throws TestbedException, InterruptedException {
        Path programs =
                release.architecture().isOfThisMachine() ? null : GuestPrograms.of(release.architecture(), shop);
        return of(KernelPackages.of(release, shop), programs, thorough);
    }

    static KernelImage of(KernelPackages packages, @Nullable Path programs, boolean thorough)
            throws TestbedException, InterruptedException {
        KernelRelease release = packages.release();
        Workshop shop = packages.shop();
        CacheDirectory cache = shop.cache();
        CacheSeal.Check check = new CacheSeal.Check(KERNEL, thorough, shop.progress());
        Path home = cache.entry(KERNEL_ENTRY + packages.kernel(), check, target -> {
            packages.unpack(KernelPackages.Group.IMAGE, "", target);
            if (!Files.exists(target.resolve("lib")) && Files.isDirectory(target.resolve("usr/lib"))) {
                Files.createSymbolicLink(target.resolve("lib"), Path.of("usr/lib"));
            }
            shop.progress().step("preparing kernel " + release.label());
            Tool.run("depmod", "-b", target.toString(), version(target));
            extract(release.architecture(), bzImage(target), target.resolve(KERNEL));
            new CacheSeal(target).write();
        });
        try {
            Path modules = modulesIn(home);
            String ofThisKernel = INITRAMFS_ENTRY + packages.derived(String.valueOf(modules.getFileName())) + "-";
            Path initramfs = Initramfs.ofQemu(modules, programs).entry(ofThisKernel, "", thorough, shop);
            String prefix = KernelRelease.entry(release.label()) + "-";
            cache.prune(INITRAMFS_ENTRY + prefix, initramfs, OLD_KERNEL);
            cache.prune(KERNEL_ENTRY + prefix, home, OLD_KERNEL);
            KernelImage image = new KernelImage(
                    home.resolve(KERNEL), initramfs.resolve(Initramfs.FILE), modules, release.architecture(), programs);
            if (!release.isSeriesOf(image.version())) {
                shop.progress()
                        .note("Debian " + release.suite() + " had kernel " + image.version() + " and no longer "
                                + release.series() + "; the guest runs that");
            }
            return image;
        } catch (IOException e) {
            throw new TestbedException("the cache entry " + home + " is damaged, remove it: " + e, e);
        }
    }

    private static void extract(Architecture architecture, Path packed, Path kernel)
            throws IOException, TestbedException, InterruptedException {
        if (architecture.isOfThisMachine()) {
            Vmlinux.extract(packed, kernel);
            return;
        }
        ByteBuffer image = ByteBuffer.wrap(Files.readAllBytes(packed)).order(ByteOrder.LITTLE_ENDIAN);
        if (image.capacity() < ARM64_MAGIC_OFFSET + Integer.BYTES || image.getInt(ARM64_MAGIC_OFFSET) != ARM64_MAGIC) {
            throw new TestbedException(packed + " is not an arm64 kernel image that QEMU can start as it is");
        }
        Files.copy(packed, kernel);
    }

    /** The name of the kernel's entry in the cache. */
    public static String entryName(KernelRelease release) {
        return KERNEL_ENTRY + KernelPins.of(release).kernel();
    }

    /** The kernel's full version, such as {@code 6.1.0-50-amd64}. */
    public String version() {
        return String.valueOf(modules.getFileName());
    }

    // Debian's packages have it in /boot up to 6.12, and beside the modules later.
    static Path bzImage(Path home) throws IOException, TestbedException {
        String version = version(home);
        for (String place : List.of("boot/vmlinuz-" + version, "lib/modules/" + version + "/vmlinuz")) {
            if (Files.isRegularFile(home.resolve(place))) {
                return home.resolve(place);
            }
        }
        throw new TestbedException("no kernel image in " + home);
    }

    /** The directory of the modules in a cache entry, named by the kernel's version. */
    static Path modulesIn(Path home) throws IOException {
        return home.resolve("lib/modules").resolve(version(home));
    }

    private static String version(Path home) throws IOException {
        try (Stream<Path> directories = Files.list(home.resolve("lib/modules"))) {
            return directories
                    .map(Path::getFileName)
                    .map(String::valueOf)
                    .findFirst()
                    .orElseThrow(() -> new IOException("no modules in " + home));
        }
    }
}
