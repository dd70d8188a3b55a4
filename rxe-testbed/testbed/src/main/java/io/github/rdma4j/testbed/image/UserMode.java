// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * A JVM for another processor without a guest: QEMU translates its instructions and passes its system calls to this machine's
 * kernel. There are no RDMA devices, and no program of the other processor starts another one.
 */
public final class UserMode {
    private UserMode() {}

    /**
     * Finds {@code bin/java} of the architecture in the cache; downloads and unpacks programs and emulator at the first use. The
     * class path and all other files are this machine's.
     */
    public static Path java(
            Architecture architecture, CacheDirectory cache, Map<String, String> environment, Progress progress)
            throws TestbedException, InterruptedException {
        Path programs = GuestPrograms.of(architecture, cache, environment, progress);
        UnpackedPackage emulator =
                UnpackedPackage.prepare(UnpackedPackage.Kind.QEMU_USER, cache, environment, progress);
        // Each call of "max" would compute a signature of the return address; the cheap signature is as good for tests.
        String script = String.join(
                "\n",
                "#!/bin/sh",
                "exec '" + emulator.program() + "' -cpu max,pauth-impdef=on -L '" + programs + "' \\",
                "    '" + programs.resolve("usr/bin/java").toAbsolutePath() + "' \"$@\"",
                "");
        Path entry = cache.entry("user-mode-" + CacheDirectory.fingerprint(script), target -> {
            Path java = Files.createDirectories(target.resolve("bin")).resolve("java");
            Files.writeString(java, script);
            Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        });
        return entry.resolve("bin/java");
    }
}
