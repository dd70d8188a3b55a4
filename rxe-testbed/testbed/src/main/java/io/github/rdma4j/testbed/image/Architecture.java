// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import java.util.Locale;

/** The processor of a guest, and the size of its pages where Debian has kernels of several. */
public enum Architecture {
    /** This machine's. Pages of 4 KiB. */
    AMD64,
    /** Pages of 4 KiB. */
    ARM64,
    /** Pages of 16 KiB. */
    ARM64_16K;

    /** The name that users give, such as {@code arm64-16k}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The architecture of Debian's packages. */
    String debian() {
        return isOfThisMachine() ? "amd64" : "arm64";
    }

    /** Whether programs of this machine run in the guest. */
    public boolean isOfThisMachine() {
        return this == AMD64;
    }
}
