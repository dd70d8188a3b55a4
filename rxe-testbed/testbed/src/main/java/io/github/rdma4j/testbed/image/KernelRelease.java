// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The guest kernels that are known to work: builds of Debian, one for each kernel series. */
public enum KernelRelease {
    BOOKWORM("6.1", "bookworm"),
    TRIXIE("6.12", "trixie"),
    SID("7.2", "sid");

    /** In every suite, this package depends on the image with the current ABI. */
    static final String META_PACKAGE = "linux-image-amd64";

    /** The kernel of a guest by default. */
    public static final KernelRelease DEFAULT = BOOKWORM;

    private final String series;
    private final String suite;

    KernelRelease(String series, String suite) {
        this.series = series;
        this.suite = suite;
    }

    /** The kernel series as users name it, such as {@code 6.1}. */
    public String series() {
        return series;
    }

    String suite() {
        return suite;
    }

    /** Whether a kernel of this version belongs to the series. A suite in development moves on to later series. */
    boolean isSeriesOf(String version) {
        return version.matches("\\Q" + series + "\\E(\\D.*)?");
    }

    /** Finds the release that a user named. */
    public static KernelRelease of(String series) throws TestbedException {
        for (KernelRelease release : values()) {
            if (release.series.equals(series)) {
                return release;
            }
        }
        String known = Arrays.stream(values()).map(KernelRelease::series).collect(Collectors.joining(", "));
        throw new TestbedException("no kernel " + series + " in this testbed; it knows " + known);
    }
}
