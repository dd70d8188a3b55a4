// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A driver's module that Debian's kernels lack, built from Debian's source and headers of the kernel. Nothing is
 * installed.
 */
public enum BuiltModule {
    /** Soft-iWARP. */
    SIW("siw", "drivers/infiniband/sw/siw", "CONFIG_RDMA_SIW"),
    /** VMware's paravirtual device, which QEMU emulates. */
    VMW_PVRDMA("vmw_pvrdma", "drivers/infiniband/hw/vmw_pvrdma", "CONFIG_INFINIBAND_VMWARE_PVRDMA"),
    /** The kernel's driver rxe with InfiniBand in software. */
    SOFTIB("rdma_rxe", SoftibSource.DRIVER, "CONFIG_RDMA_RXE");

    private static final String ENTRY = "modules-";

    private final String module;
    private final String directory;
    private final String option;

    BuiltModule(String module, String directory, String option) {
        this.module = module;
        this.directory = directory;
        this.option = option;
    }

    /**
     * Finds the module for a kernel in the cache. The first use of any module downloads the source and builds all
     * modules, because the download takes far longer than a build.
     */
    public Path prepare(KernelRelease release, KernelImage image, Workshop shop)
            throws TestbedException, InterruptedException {
        String version = image.version();
        KernelPackages packages = KernelPackages.of(release, shop);
        Path home = shop.cache().entry(entryName(packages, version), target -> {
            Tool.require(
                    List.of("gcc", "make", "patch"), "the device's module is built from source", "gcc, make and patch");
            packages.unpack(KernelPackages.Group.HEADERS, version, target);
            packages.unpack(KernelPackages.Group.SOURCE, version, target);
            shop.progress().step("unpacking the source of the modules");
            Path build = unpackSources(target, version);
            SoftibSource.addTo(build.resolve(sourceName(version)), target);
            for (BuiltModule each : values()) {
                shop.progress().step("building " + each.module + " for kernel " + version);
                Files.copy(each.build(target, build, version), target.resolve(each.file()));
            }
            CacheDirectory.deleteTree(target.resolve("usr"));
            CacheDirectory.deleteTree(build);
        });
        shop.cache().prune(ENTRY + release.series() + "-", home, KernelImage.OLD_KERNEL);
        return home.resolve(file());
    }

    /** A rebuild of a kernel by Debian may keep {@code version} and still needs other modules. */
    static String entryName(KernelPackages packages, String version) {
        return ENTRY + packages.derived(version) + "-" + Integer.toHexString(SoftibSource.fingerprint());
    }

    private String file() {
        return module + ".ko";
    }

    /** {@code 6.1} of {@code 6.1.0-50-amd64}. */
    static String series(String version) {
        return version.replaceFirst("^(\\d+\\.\\d+).*", "$1");
    }

    /**
     * Unpacks the modules' directories of the kernel's source, and makes the headers usable at their place in the
     * cache.
     */
    private static Path unpackSources(Path target, String version)
            throws TestbedException, IOException, InterruptedException {
        Path sources = target.resolve("usr/src");
        Path build = Files.createDirectory(target.resolve("build"));
        String name = sourceName(version);
        List<String> command = new ArrayList<>(
                List.of("tar", "-xJf", sources.resolve(name + ".tar.xz").toString(), "-C", build.toString()));
        for (BuiltModule each : values()) {
            command.add(name + "/" + each.directory);
        }
        Tool.run(command.toArray(String[]::new));
        // The packages expect the headers in /usr/src.
        Path makefile = sources.resolve("linux-headers-" + version).resolve("Makefile");
        Files.writeString(makefile, Files.readString(makefile).replace("/usr/src/", sources + "/"));
        return build;
    }

    private Path build(Path target, Path build, String version) throws TestbedException, InterruptedException {
        Path headers = target.resolve("usr/src/linux-headers-" + version);
        Path sourcesOfModule = build.resolve(sourceName(version)).resolve(directory);
        try {
            Tool.runIn(
                    build,
                    // Nobody needs types in the module, which take one more program.
                    List.of(
                            "make",
                            "-C",
                            headers.toString(),
                            "M=" + sourcesOfModule,
                            option + "=m",
                            "CONFIG_DEBUG_INFO_BTF_MODULES=",
                            "modules"));
        } catch (Tool.FailureException e) {
            throw compilerOfAnotherRelease(e.output(), version).orElse(e);
        }
        return sourcesOfModule.resolve(file());
    }

    /** A machine may lack the kernel's compiler, or a libc as new as the libc of the kernel's release. */
    static Optional<TestbedException> compilerOfAnotherRelease(String output, String version) {
        Matcher lacking = Pattern.compile("(gcc-\\d+): not found|version `(GLIBC_[\\d.]+)' not found")
                .matcher(output);
        if (!lacking.find()) {
            return Optional.empty();
        }
        String what = lacking.group(1) == null ? lacking.group(2) : lacking.group(1);
        return Optional.of(new TestbedException("the device's module for kernel " + version + " is built with " + what
                + " of the Debian release that the kernel belongs to, and this machine has no " + what
                + "; use the kernel of this machine's release (--kernel), or a machine of the kernel's release"));
    }

    static String sourceName(String version) {
        return "linux-source-" + series(version);
    }
}
