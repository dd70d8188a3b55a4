// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A kernel that is ready to boot.
 *
 * @param kernel the ELF kernel
 * @param initramfs its first file system
 * @param modules the directory of all its modules, named by the kernel's version
 */
public record KernelImage(Path kernel, Path initramfs, Path modules) {
    private static final String KERNEL = "vmlinux";
    private static final String KERNEL_ENTRY = "kernel-";
    private static final String INITRAMFS_ENTRY = "initramfs-";

    /** Another version of the testbed may use another kernel of the series on this machine. */
    static final Duration OLD_KERNEL = Duration.ofDays(30);

    /**
     * Finds the kernel in the cache; downloads and prepares it at its first use, and when it is damaged.
     *
     * @param thorough whether to read all files, and not only to check the files that boot
     */
    public static KernelImage of(
            KernelRelease release,
            CacheDirectory cache,
            Map<String, String> environment,
            boolean thorough,
            Progress progress)
            throws TestbedException, InterruptedException {
        return of(new KernelPackages(release, environment, progress), cache, thorough, progress);
    }

    static KernelImage of(KernelPackages packages, CacheDirectory cache, boolean thorough, Progress progress)
            throws TestbedException, InterruptedException {
        KernelRelease release = packages.release();
        Path home = cache.entry(
                KERNEL_ENTRY + packages.kernel(), new CacheSeal.Check(KERNEL, thorough, progress), target -> {
                    packages.unpack(KernelPackages.Group.IMAGE, "", target);
                    if (!Files.exists(target.resolve("lib")) && Files.isDirectory(target.resolve("usr/lib"))) {
                        Files.createSymbolicLink(target.resolve("lib"), Path.of("usr/lib"));
                    }
                    progress.step("preparing kernel " + release.series());
                    Tool.run("depmod", "-b", target.toString(), version(target));
                    Vmlinux.extract(bzImage(target), target.resolve(KERNEL));
                    new CacheSeal(target).write();
                });
        try {
            Path modules = modulesIn(home);
            Path initramfs = initramfs(packages, modules, cache, thorough, progress);
            cache.prune(KERNEL_ENTRY + release.series() + "-", home, OLD_KERNEL);
            KernelImage image = new KernelImage(home.resolve(KERNEL), initramfs.resolve(Initramfs.FILE), modules);
            if (!release.isSeriesOf(image.version())) {
                progress.note("Debian " + release.suite() + " had kernel " + image.version() + " and no longer "
                        + release.series() + "; the guest runs that");
            }
            return image;
        } catch (IOException e) {
            throw new TestbedException("the cache entry " + home + " is damaged, remove it: " + e, e);
        }
    }

    /** The modules in it belong to one kernel alone, which therefore is part of the name. */
    private static Path initramfs(
            KernelPackages packages, Path modules, CacheDirectory cache, boolean thorough, Progress progress)
            throws TestbedException, InterruptedException {
        String ofThisKernel = INITRAMFS_ENTRY + packages.derived(String.valueOf(modules.getFileName())) + "-";
        Path initramfs = Initramfs.ofQemu(modules).entry(cache, ofThisKernel, "", thorough, progress);
        cache.prune(INITRAMFS_ENTRY + packages.release().series() + "-", initramfs, OLD_KERNEL);
        return initramfs;
    }

    /** The name of the kernel's entry in the cache. */
    public static String entryName(KernelRelease release) {
        return KERNEL_ENTRY + KernelPins.of(release).kernel();
    }

    /**
     * The list of pins for the present kernels of the archive, in the format of {@code kernels.pins}. It downloads the
     * archive's indexes.
     */
    public static String pins(Map<String, String> environment, Progress progress)
            throws TestbedException, InterruptedException {
        String time = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'")
                .format(Instant.now().atOffset(ZoneOffset.UTC));
        StringBuilder text = new StringBuilder("# Written by ./rdma4j testbed pins\n");
        try {
            Path scratch = Files.createTempDirectory("rdma4j-pins-");
            try {
                for (KernelRelease release : KernelRelease.values()) {
                    KernelPackages.pin(release, time, scratch.resolve(release.series()), environment, progress)
                            .forEach(line -> text.append(line).append('\n'));
                }
            } finally {
                CacheDirectory.deleteTree(scratch);
            }
        } catch (IOException e) {
            throw new TestbedException("cannot write temporary files: " + e.getMessage(), e);
        }
        progress.finish();
        return text.toString();
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
