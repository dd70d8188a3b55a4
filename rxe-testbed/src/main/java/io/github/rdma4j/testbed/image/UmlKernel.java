// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import java.nio.file.Files;

/** The kernel of User Mode Linux guests, which no distribution ships with RDMA: built from Debian's source of a kernel. */
public final class UmlKernel {
    private UmlKernel() {}

    /** Whether the kernel has been built. */
    public static boolean isIn(CacheDirectory cache) {
        return Files.isDirectory(cache.root().resolve("uml"));
    }
}
