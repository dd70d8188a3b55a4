// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Kernel series, which recorded tables are named after: {@code 6.1} for the release {@code 6.1.0-50-amd64}, and {@code
 * 7.2-ib} for 7.2 on InfiniBand instead of RoCE.
 */
public final class KernelSeries {
    /** The end of the name of a series on InfiniBand. */
    private static final String IB = "-ib";

    /** Follows the release of a kernel that was recorded on InfiniBand. */
    private static final String ON_INFINIBAND = " on InfiniBand";

    private static final Comparator<String> ORDER =
            Comparator.comparing(KernelSeries::numbers, Arrays::compare).thenComparing(KernelSeries::isInfiniBand);

    private KernelSeries() {}

    /** The series of a release as {@link #runningRelease} tells it. */
    public static String of(String release) {
        String[] numbers = release.split("[.-]", 3);
        return numbers[0] + "." + numbers[1] + (release.endsWith(ON_INFINIBAND) ? IB : "");
    }

    /** The release of the running kernel as uname(2) tells it, and the link layer if that is InfiniBand. */
    public static String runningRelease() {
        return System.getProperty("os.version") + (Adapter.IS_INFINIBAND ? ON_INFINIBAND : "");
    }

    /** Whether the series was recorded on InfiniBand. */
    public static boolean isInfiniBand(String series) {
        return series.endsWith(IB);
    }

    /** The series of the same kernel on InfiniBand. */
    public static String onInfiniBand(String series) {
        return series + IB;
    }

    /** Negative if {@code a} is older than {@code b}; a kernel on InfiniBand follows the same kernel on RoCE. */
    public static int compare(String a, String b) {
        return ORDER.compare(a, b);
    }

    private static int[] numbers(String series) {
        return Arrays.stream(series.replace(IB, "").split("\\.", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
