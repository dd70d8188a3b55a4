// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Resource;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Builds the kernel of User Mode Linux guests, and the module with their ports, into a cache entry. */
record UmlBuild(Path target, Workshop shop) {
    static final String CONFIGURATION = "kernel.config";
    static final String PORTS = "rdma4j_port.c";

    /** Mends a defect of the kernel's, which gave processes the memory of others. */
    private static final String PAGE_TABLES = "page-tables.patch";

    /** The testbed's own part of the kernel, beside the {@link SoftibSource}. */
    static final List<String> OWN = List.of("uml/" + CONFIGURATION, "uml/" + PORTS, "uml/" + PAGE_TABLES);

    private static final int LEAST_MIB = 2500;

    /** The number of lines that {@code make} prints, for the progress. */
    private static final int LINES = 1100;

    private static final int PERCENT_PER_STEP = 10;

    /** Tools that an ordinary machine with a compiler may lack; they run where they are unpacked. */
    private static final List<String> TOOLS = List.of("flex", "bison", "m4", "bc");

    /** The packages of the tools, with their libraries. */
    private static final List<String> TOOL_PACKAGES =
            List.of("flex", "bison", "m4", "bc", "libsigsegv2", "libreadline8");

    /** A suite old enough for the C library of any machine. */
    private static final String TOOL_SUITE = "bookworm";

    /** Sources of drivers that this kernel lacks, by far the largest part; their Kconfig files are needed. */
    private static final List<String> LEFT_OUT = List.of(
            "*/Documentation/*.rst",
            "*/drivers/gpu/*.[ch]",
            "*/drivers/media/*.[ch]",
            "*/drivers/staging/*.[ch]",
            "*/drivers/net/ethernet/*.[ch]",
            "*/drivers/net/wireless/*.[ch]",
            "*/drivers/scsi/*.[ch]",
            "*/sound/*.[ch]",
            "*/tools/testing/*",
            "*/tools/perf/*",
            "*.dts",
            "*.dtsi",
            "*.yaml");

    /** Writes the stripped kernel, its modules and their origin to the target. */
    void run() throws TestbedException, IOException, InterruptedException {
        Tool.require(
                List.of("gcc", "make", "patch", "strip", "xz", "depmod", "perl"),
                "the kernel is built from source",
                "gcc, libc6-dev, make, patch, binutils, xz-utils, kmod and perl-base");
        requireSpace();
        Files.createDirectories(work());
        String source = BuiltModule.sourceName(UmlKernel.series());
        KernelPackages.of(UmlKernel.RELEASE, shop).unpack(KernelPackages.Group.SOURCE, UmlKernel.series(), work());
        fetchTools();
        shop.progress().step("unpacking the source of the kernel");
        Tool.run(unpacking(work().resolve("usr/src").resolve(source + ".tar.xz")));
        SoftibSource.addTo(work().resolve(source), target);
        Files.write(target.resolve(PAGE_TABLES), Resource.bytes("uml/" + PAGE_TABLES));
        SoftibSource.patch(work().resolve(source), target.resolve(PAGE_TABLES));
        build(work().resolve(source));
        Files.writeString(target.resolve("ORIGIN"), """
                The program `linux` and the modules are Linux, which is under the GNU General Public License, version 2.
                They were built from Debian's package %s of Debian %s, with softib.patch
                and page-tables.patch, softib*.h and softib*.c in drivers/infiniband/sw/rxe, and from rdma4j_port.c,
                with the configuration kernel.config; all of these lie here.
                """.formatted(
                        source + " " + UmlKernel.source().version(),
                        UmlKernel.RELEASE.name().toLowerCase(java.util.Locale.ROOT)));
        CacheDirectory.deleteTree(work());
        CacheDirectory.deleteTree(CacheDirectory.kept(work()));
        new CacheSeal(target).write();
    }

    private void requireSpace() throws TestbedException, IOException {
        Files.createDirectories(target);
        long free = Files.getFileStore(target).getUsableSpace() >> 20;
        if (free < LEAST_MIB) {
            throw new TestbedException(
                    "building the kernel takes " + LEAST_MIB + " MiB of space in " + target.getParent()
                            + " and there are " + free + ": make room, or name another directory in RDMA4J_CACHE");
        }
    }

    private void fetchTools() throws TestbedException, IOException, InterruptedException {
        String path = shop.environment().getOrDefault("PATH", "");
        boolean complete =
                TOOLS.stream().allMatch(tool -> Tool.locate(tool, path).isPresent());
        if (!complete) {
            AptRoot.Wanted wanted = new AptRoot.Wanted("flex and bison", TOOL_PACKAGES, TOOL_PACKAGES::contains);
            AptRoot.unpack(TOOL_SUITE, Architecture.AMD64, wanted, tools(), shop);
        }
    }

    private Path work() {
        return target.resolve("work");
    }

    private Path tools() {
        return work().resolve("tools");
    }

    private String[] unpacking(Path archive) {
        List<String> command = new ArrayList<>(List.of("tar", "-xJf", archive.toString(), "-C", work().toString()));
        LEFT_OUT.forEach(pattern -> command.add("--exclude=" + pattern));
        return command.toArray(String[]::new);
    }

    private void build(Path source) throws TestbedException, IOException, InterruptedException {
        Path objects = Files.createDirectory(work().resolve("objects"));
        Path ports = Files.createDirectory(work().resolve("ports"));
        Path configuration = target.resolve(CONFIGURATION);
        Files.write(configuration, Resource.bytes("uml/" + CONFIGURATION));
        Files.write(target.resolve(PORTS), Resource.bytes("uml/" + PORTS));
        Files.copy(target.resolve(PORTS), ports.resolve(PORTS));
        Files.writeString(ports.resolve("Makefile"), "obj-m := rdma4j_port.o\n");
        List<String> make = make(source, objects);
        shop.progress().step("configuring the kernel");
        Tool.runIn(work(), with(make, "KCONFIG_ALLCONFIG=" + configuration, "allnoconfig"));
        requireOptions(configuration, objects.resolve(".config"));
        int jobs = Runtime.getRuntime().availableProcessors();
        Tool.follow(work(), with(make, "-j" + jobs, "linux", "modules"), new Percent());
        shop.progress().step("building the module of the ports");
        Tool.runIn(work(), with(make, "M=" + ports, "modules"));
        String destination = "INSTALL_MOD_PATH=" + target;
        Tool.runIn(work(), with(make, destination, "INSTALL_MOD_STRIP=1", "modules_install"));
        Tool.runIn(work(), with(make, "M=" + ports, destination, "INSTALL_MOD_STRIP=1", "modules_install"));
        Path modules = KernelImage.modulesIn(target);
        // These links lead to directories that are removed.
        Files.deleteIfExists(modules.resolve("build"));
        Files.deleteIfExists(modules.resolve("source"));
        Tool.run("depmod", "-b", target.toString(), String.valueOf(modules.getFileName()));
        Tool.run(
                "strip",
                "-o",
                target.resolve(UmlKernel.KERNEL).toString(),
                objects.resolve("linux").toString());
    }

    /** The command line of {@code make}, which finds the unpacked tools after those of the machine. */
    private List<String> make(Path source, Path objects) {
        Path usr = tools().resolve("usr");
        String libraries = usr.resolve("lib/x86_64-linux-gnu") + ":" + tools().resolve("lib/x86_64-linux-gnu");
        return List.of(
                "env",
                "-u",
                "MAKEFLAGS",
                "PATH=" + shop.environment().getOrDefault("PATH", "/usr/bin") + ":/usr/sbin:/sbin:"
                        + usr.resolve("bin"),
                "LD_LIBRARY_PATH=" + libraries,
                "M4=" + m4(usr.resolve("bin/m4")),
                "BISON_PKGDATADIR=" + packageData(usr.resolve("share/bison")),
                "KBUILD_BUILD_TIMESTAMP=1970-01-01",
                "KBUILD_BUILD_USER=rdma4j",
                "KBUILD_BUILD_HOST=testbed",
                "make",
                "-C",
                source.toString(),
                "O=" + objects,
                "ARCH=um");
    }

    /** Without this variable Bison uses a fixed path. */
    private static Path m4(Path unpacked) {
        return Files.isExecutable(unpacked) ? unpacked : Path.of("/usr/bin/m4");
    }

    private static Path packageData(Path unpacked) {
        return Files.isDirectory(unpacked) ? unpacked : Path.of("/usr/share/bison");
    }

    private static List<String> with(List<String> command, String... more) {
        return Stream.concat(command.stream(), Stream.of(more)).toList();
    }

    /** Kconfig silently drops options that another option excludes. */
    private static void requireOptions(Path wanted, Path actual) throws TestbedException, IOException {
        List<String> lines = Files.readAllLines(actual, StandardCharsets.UTF_8);
        List<String> missing = Files.readAllLines(wanted, StandardCharsets.UTF_8).stream()
                .filter(line -> line.startsWith("CONFIG_") && !lines.contains(line))
                .toList();
        if (!missing.isEmpty()) {
            throw new TestbedException("the source of this kernel does not know the options " + missing);
        }
    }

    /** Turns lines of {@code make} into progress. */
    private final class Percent implements java.util.function.Consumer<String> {
        private int lines;
        private int said = -1;

        @Override
        public void accept(String line) {
            int percent = Math.min(99, 100 * lines++ / LINES) / PERCENT_PER_STEP * PERCENT_PER_STEP;
            if (percent > said) {
                said = percent;
                shop.progress().step("building the kernel of User Mode Linux, " + percent + " %");
            }
        }
    }
}
