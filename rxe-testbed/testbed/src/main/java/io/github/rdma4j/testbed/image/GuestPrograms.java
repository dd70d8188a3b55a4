// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The programs and libraries of guests in which this machine's do not run: packages of Debian, unpacked into the cache and not
 * installed. They lie above this machine's files in the guest, so data, class files and jars keep their paths.
 */
public final class GuestPrograms {
    /** The suite of the default kernel. */
    private static final String SUITE = "bookworm";

    private static final String JDK = "java-17-openjdk-";

    /** The programs that people run in a guest, and the libraries that these need. */
    private static final List<String> PACKAGES = List.of("""
            openjdk-17-jre-headless java-common ca-certificates-java libc6 libc-bin libgcc-s1 libstdc++6 zlib1g
            perl-base libcrypt1 busybox-static bash dash coreutils grep sed mawk findutils diffutils hostname
            procps strace kmod iproute2 mount util-linux rdmacm-utils ibverbs-providers ibverbs-utils perftest
            libibverbs1 librdmacm1 libibumad3 libnl-3-200 libnl-route-3-200 libpci3 libbpf1 libelf1 libmnl0
            libcap2 libcap2-bin libcap-ng0 libdb5.3 libtirpc3 libgssapi-krb5-2 libkrb5-3 libk5crypto3
            libkrb5support0 libcom-err2 libkeyutils1 libselinux1 libpcre2-8-0 libbsd0 libmd0 libxtables12
            libkmod2 liblzma5 libzstd1 libssl3 libacl1 libattr1 libgmp10 libtinfo6 libproc2-0 libsystemd0
            libgcrypt20 libgpg-error0 liblz4-1 libudev1 libblkid1 libmount1 libsmartcols1 libuuid1 libunwind8
            """.strip().split("\\s+"));

    private GuestPrograms() {}

    /** Finds the root of the programs in the cache; downloads and unpacks the packages at the first use. */
    static Path of(Architecture architecture, Workshop shop) throws TestbedException, InterruptedException {
        String debian = architecture.debian();
        return shop.cache().entry("programs-" + debian + "-" + CacheDirectory.fingerprint(SUITE + PACKAGES), target -> {
            makeMerged(target);
            AptRoot.Wanted wanted = new AptRoot.Wanted("programs for " + debian, PACKAGES, PACKAGES::contains);
            AptRoot.unpack(SUITE, architecture, wanted, target, shop);
            // What a script of the package would do.
            Files.createSymbolicLink(target.resolve("usr/bin/java"), Path.of("../lib/jvm", JDK + debian, "bin/java"));
        });
    }

    /** The packages of this suite still have files in /bin and /lib, which are links on a machine. */
    private static void makeMerged(Path target) throws IOException {
        for (String directory : List.of("bin", "sbin", "lib")) {
            Files.createDirectories(target.resolve("usr").resolve(directory));
            Files.createSymbolicLink(target.resolve(directory), Path.of("usr", directory));
        }
    }

    /**
     * Finds {@code bin/java} of another processor for use without a guest: QEMU translates its instructions and passes its
     * system calls to this machine's kernel. Downloads and unpacks programs and emulator at the first use. There are no
     * RDMA devices, and no program of the other processor starts another one. The class path and all other files are
     * this machine's.
     */
    public static Path userModeJava(Architecture architecture, Workshop shop)
            throws TestbedException, InterruptedException {
        Path programs = of(architecture, shop);
        UnpackedPackage emulator = UnpackedPackage.prepare(UnpackedPackage.Kind.QEMU_USER, shop);
        // Each call of "max" would compute a signature of the return address; the cheap signature is as good for tests.
        String script = String.join(
                "\n",
                "#!/bin/sh",
                "exec '" + emulator.program() + "' -cpu max,pauth-impdef=on -L '" + programs + "' \\",
                "    '" + programs.resolve("usr/bin/java").toAbsolutePath() + "' \"$@\"",
                "");
        Path entry = shop.cache().entry("user-mode-" + CacheDirectory.fingerprint(script), target -> {
            Path java = Files.createDirectories(target.resolve("bin")).resolve("java");
            Files.writeString(java, script);
            Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        });
        return entry.resolve("bin/java");
    }
}
