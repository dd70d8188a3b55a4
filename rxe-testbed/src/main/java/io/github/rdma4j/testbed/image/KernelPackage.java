// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Downloads and unpacks a Debian kernel. */
final class KernelPackage {
    // The meta package leads to the image of the day, which from some release on leads to its parts.
    private static final String PARTS = "linux-(image|binary|modules|base-)\\S*";

    private KernelPackage() {}

    /** Leaves in {@code target} what the packages of the release hold, {@code boot} and {@code lib/modules} above all. */
    static void unpack(KernelRelease release, Map<String, String> environment, Path target, Progress progress)
            throws TestbedException, IOException, InterruptedException {
        AptRoot.unpack(
                release.suite(),
                KernelRelease.META_PACKAGE,
                name -> name.matches(PARTS) && !name.equals(KernelRelease.META_PACKAGE),
                environment,
                target,
                progress);
        if (!Files.exists(target.resolve("lib")) && Files.isDirectory(target.resolve("usr/lib"))) {
            Files.createSymbolicLink(target.resolve("lib"), Path.of("usr/lib"));
        }
    }
}
