// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A driver's module that Debian leaves out of its kernels: built from Debian's own source of the kernel, unchanged, against
 * Debian's headers of it. Nothing is installed.
 */
public enum BuiltModule {
    /** Soft-iWARP. */
    SIW("siw", "drivers/infiniband/sw/siw", "CONFIG_RDMA_SIW"),
    /** VMware's paravirtual device, which QEMU emulates. */
    VMW_PVRDMA("vmw_pvrdma", "drivers/infiniband/hw/vmw_pvrdma", "CONFIG_INFINIBAND_VMWARE_PVRDMA");

    private final String module;
    private final String directory;
    private final String option;

    BuiltModule(String module, String directory, String option) {
        this.module = module;
        this.directory = directory;
        this.option = option;
    }

    /** Finds the module for a kernel in the cache; downloads what building it takes, and builds it, at its first use. */
    public Path prepare(
            KernelRelease release,
            KernelImage image,
            CacheDirectory cache,
            Map<String, String> environment,
            Progress progress)
            throws TestbedException, InterruptedException {
        String version = image.version();
        Path home = cache.entry(module + "-" + version, target -> {
            requireTools();
            download(release, version, environment, target, progress);
            progress.step("building " + module + " for kernel " + version);
            Files.copy(build(target, version), target.resolve(file()));
            CacheDirectory.deleteTree(target.resolve("usr"));
            CacheDirectory.deleteTree(target.resolve("build"));
        });
        Path built = home.resolve(file());
        if (built.toString().contains(" ")) {
            throw new TestbedException(built
                    + " has a space, and goes into a kernel argument: name another directory in" + " RDMA4J_CACHE");
        }
        return built;
    }

    private String file() {
        return module + ".ko";
    }

    /** Before the download, which takes a minute. */
    private void requireTools() throws TestbedException, InterruptedException {
        for (String tool : List.of("gcc", "make")) {
            try {
                Tool.run(tool, "--version");
            } catch (TestbedException e) {
                throw new TestbedException(
                        "the module " + module + " is built from source: " + e.getMessage() + "; install gcc and make",
                        e);
            }
        }
    }

    private static void download(
            KernelRelease release, String version, Map<String, String> environment, Path target, Progress progress)
            throws TestbedException, IOException, InterruptedException {
        AptRoot.unpack(
                release.suite(), "linux-headers-" + version, BuiltModule::isForBuilding, environment, target, progress);
        String source = "linux-source-" + series(version);
        AptRoot.unpack(release.suite(), source, source::equals, environment, target, progress);
    }

    static boolean isForBuilding(String packageName) {
        return packageName.matches("linux-(headers|kbuild)-.+");
    }

    /** {@code 6.1} of {@code 6.1.0-50-amd64}. */
    static String series(String version) {
        return version.replaceFirst("^(\\d+\\.\\d+).*", "$1");
    }

    private Path build(Path target, String version) throws TestbedException, IOException, InterruptedException {
        Path sources = target.resolve("usr/src");
        Path build = Files.createDirectory(target.resolve("build"));
        String name = "linux-source-" + series(version);
        Tool.run(
                "tar",
                "-xJf",
                sources.resolve(name + ".tar.xz").toString(),
                "-C",
                build.toString(),
                name + "/" + directory);
        Path headers = sources.resolve("linux-headers-" + version);
        // The packages expect to lie in /usr/src.
        Path makefile = headers.resolve("Makefile");
        Files.writeString(makefile, Files.readString(makefile).replace("/usr/src/", sources + "/"));
        Path sourcesOfModule = build.resolve(name).resolve(directory);
        Tool.runIn(build, List.of("make", "-C", headers.toString(), "M=" + sourcesOfModule, option + "=m", "modules"));
        return sourcesOfModule.resolve(file());
    }
}
