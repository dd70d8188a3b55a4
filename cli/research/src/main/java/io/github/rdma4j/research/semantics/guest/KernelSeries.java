// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.guest;

import java.util.Arrays;

/** Kernel series, which recorded tables are named after: {@code 6.1} for the release {@code 6.1.0-50-amd64}. */
public final class KernelSeries {
    private KernelSeries() {}

    /** The series of a release as uname(2) tells it. */
    public static String of(String release) {
        String[] numbers = release.split("[.-]", 3);
        return numbers[0] + "." + numbers[1];
    }

    /** The release of the running kernel. */
    public static String runningRelease() {
        return System.getProperty("os.version");
    }

    /** Negative if {@code a} is older than {@code b}. */
    public static int compare(String a, String b) {
        return Arrays.compare(numbers(a), numbers(b));
    }

    private static int[] numbers(String series) {
        return Arrays.stream(series.split("\\.", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
