// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import java.util.Arrays;
import java.util.List;

/** The kernel series that observations are kept of. */
final class Kernels {
    static final List<String> RECORDED = List.of("6.1", "6.12", "7.2");

    private Kernels() {}

    /** The series of the running kernel, such as {@code 6.1}. */
    static String running() {
        String[] release = System.getProperty("os.version").split("[.-]", 3);
        return release[0] + "." + release[1];
    }

    static int compare(String a, String b) {
        return Arrays.compare(numbers(a), numbers(b));
    }

    private static int[] numbers(String series) {
        return Arrays.stream(series.split("\\.", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
    }
}
