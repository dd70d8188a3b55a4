// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.TestbedException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The guest kernels that are known to work: builds of Debian, one for each kernel series and processor. */
public enum KernelRelease {
    BOOKWORM("6.1", "bookworm", Architecture.AMD64),
    /** Debian 12 has this kernel beside its own, built with the compiler of Debian 12. */
    BOOKWORM_SECURITY("6.12", "bookworm-security", Architecture.AMD64),
    SID("7.2", "sid", Architecture.AMD64),
    BOOKWORM_ARM64("6.1", "bookworm", Architecture.ARM64),
    TRIXIE_ARM64("6.12", "trixie", Architecture.ARM64),
    TRIXIE_ARM64_16K("6.12", "trixie", Architecture.ARM64_16K);

    /** The kernel of a guest by default. */
    public static final KernelRelease DEFAULT = BOOKWORM;

    private final String series;
    private final String suite;
    private final Architecture architecture;

    KernelRelease(String series, String suite, Architecture architecture) {
        this.series = series;
        this.suite = suite;
        this.architecture = architecture;
    }

    /** The kernel series as users name it, such as {@code 6.1}. */
    public String series() {
        return series;
    }

    /** The processor of the guests. */
    public Architecture architecture() {
        return architecture;
    }

    /** The kernel as users name it, such as {@code 6.1}, or {@code 6.1-arm64} if it is not for this machine's processor. */
    public String label() {
        return label(series, architecture);
    }

    private static String label(String series, Architecture architecture) {
        return architecture.isOfThisMachine() ? series : series + "-" + architecture.label();
    }

    /**
     * The beginning of a kernel's entries in the cache, which no other kernel's entries have: the processor, if it is part of the
     * label, comes first.
     */
    static String entry(String label) {
        int dash = label.indexOf('-');
        return dash < 0 ? label : label.substring(dash + 1) + "-" + label.substring(0, dash);
    }

    String suite() {
        return suite;
    }

    /** The package that depends on the image with the current ABI. */
    String metaPackage() {
        return this == BOOKWORM_SECURITY
                ? "linux-image-" + series + "-" + architecture.label()
                : "linux-image-" + architecture.label();
    }

    /** Whether a kernel of this version belongs to the series. A suite in development moves on to later series. */
    boolean isSeriesOf(String version) {
        return version.matches("\\Q" + series + "\\E(\\D.*)?");
    }

    /** Finds the release that a user named by its label. */
    public static KernelRelease of(String label) throws TestbedException {
        for (KernelRelease release : values()) {
            if (release.label().equals(label)) {
                return release;
            }
        }
        String known = Arrays.stream(values()).map(KernelRelease::label).collect(Collectors.joining(", "));
        throw new TestbedException("no kernel " + label + " in this testbed; it knows " + known);
    }

    /**
     * Finds the release for a processor.
     *
     * @param series the series that a user named; empty for the first of the processor
     */
    public static KernelRelease of(String series, String architecture) throws TestbedException {
        List<KernelRelease> known = Arrays.stream(values())
                .filter(release -> release.architecture.label().equals(architecture))
                .toList();
        if (known.isEmpty()) {
            throw new TestbedException("no processor " + architecture + " in this testbed; it knows "
                    + Arrays.stream(Architecture.values())
                            .map(Architecture::label)
                            .collect(Collectors.joining(", ")));
        }
        return series.isEmpty() ? known.get(0) : of(label(series, known.get(0).architecture));
    }
}
