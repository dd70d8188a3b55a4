// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program of Debian, unpacked into the testbed's cache and never installed: the package of a service would enable the
 * service at every boot.
 *
 * @param kind the package
 * @param home the directory of its files
 */
public record UnpackedPackage(Kind kind, Path home) {
    /** The suites with which the tests were written; this machine may run another suite. */
    private static final String BOOKWORM = "bookworm";

    private static final String TRIXIE = "trixie";

    /** Debian's testing suite at that time, whose packages change until it is released. */
    private static final String FORKY = "forky";

    private static final String PARTS_OF_RDMA_CORE =
            "ibverbs-providers|libibverbs1|libc6|libnl-3-200|libnl-route-3-200";

    /** The packages. */
    public enum Kind {
        /** An InfiniBand subnet manager. Its package would manage the subnet of every InfiniBand port. */
        // The simulator, which must be installed, brings libibumad; iproute2 brings the libraries of libtirpc.
        OPENSM(BOOKWORM, "opensm", "usr/sbin/opensm", "opensm|lib(osmcomp|osmvendor|opensm|wrap|nsl)\\d+"),
        /** The Docker engine (65 MB). Its package would change the machine's network. */
        DOCKER(BOOKWORM, "docker.io", "usr/sbin/dockerd", "docker\\.io|containerd|runc|tini"),
        /** QEMU for arm64 (9 MB). It needs the libraries of QEMU for this machine's processor, which must be installed. */
        QEMU_ARM(BOOKWORM, "qemu-system-arm", "usr/bin/qemu-system-aarch64", "qemu-system-arm"),
        /** QEMU for single programs of other processors (12 MB). It needs libraries of QEMU for this machine's processor. */
        QEMU_USER(BOOKWORM, "qemu-user", "usr/bin/qemu-aarch64", "qemu-user"),
        /** The libraries of rdma-core 56 with their own C library, whose loader is the program (10 MB). */
        RDMA_CORE(TRIXIE, "ibverbs-providers", "usr/lib64/ld-linux-x86-64.so.2", PARTS_OF_RDMA_CORE),
        /** Those of rdma-core 65, or of what Debian's testing suite has by now (10 MB). */
        NEWER_RDMA_CORE(FORKY, "ibverbs-providers", "usr/lib64/ld-linux-x86-64.so.2", PARTS_OF_RDMA_CORE);

        private final String suite;
        private final String first;
        private final String program;
        private final String parts;

        Kind(String suite, String first, String program, String parts) {
            this.suite = suite;
            this.first = first;
            this.program = program;
            this.parts = parts;
        }

        boolean needs(String packageName) {
            return packageName.matches(parts);
        }

        private String entry() {
            return first.replaceFirst("\\..*", "") + "-" + suite;
        }
    }

    /** Finds the package in the cache; downloads and unpacks it at the first use. Fails if its program does not run. */
    public static UnpackedPackage prepare(Kind kind, Workshop shop) throws TestbedException, InterruptedException {
        AptRoot.Wanted wanted = new AptRoot.Wanted(kind.first, List.of(kind.first), kind::needs);
        Path home = shop.cache()
                .entry(kind.entry(), target -> AptRoot.unpack(kind.suite, Architecture.AMD64, wanted, target, shop));
        UnpackedPackage unpacked = new UnpackedPackage(kind, home);
        shop.progress().step("trying " + unpacked.program());
        Tool.run(
                "env",
                "LD_LIBRARY_PATH=" + unpacked.libraryPath(),
                unpacked.program().toString(),
                "--version");
        shop.progress().finish();
        return unpacked;
    }

    /** Finds the package in the cache of an environment; {@code testbed setup} puts it there. */
    public static Optional<UnpackedPackage> find(Kind kind, Map<String, String> environment) {
        Path home = CacheDirectory.of(environment).root().resolve(kind.entry());
        return Files.isDirectory(home) ? Optional.of(new UnpackedPackage(kind, home)) : Optional.empty();
    }

    /** The service's program. It needs {@link #libraryPath()}, and {@link #path()} before the {@code PATH}. */
    public Path program() {
        return home.resolve(kind.program);
    }

    /** The directories of the unpacked libraries, for {@code LD_LIBRARY_PATH}. */
    public String libraryPath() {
        return home.resolve("usr/lib/x86_64-linux-gnu") + ":" + home.resolve("lib/x86_64-linux-gnu");
    }

    /** The directories of the unpacked programs, for a {@code PATH}. */
    public String path() {
        return home.resolve("usr/bin") + ":" + home.resolve("usr/sbin");
    }
}
