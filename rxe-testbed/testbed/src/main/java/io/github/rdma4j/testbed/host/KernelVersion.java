// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.host;

import java.util.Arrays;

/** The first two numbers of a release of Linux: {@code 6.12} of {@code 6.12.48-amd64}. */
public record KernelVersion(int major, int minor) {
    /** Reads the beginning of a release. */
    public static KernelVersion of(String text) {
        int[] numbers = Arrays.stream(text.split("\\D+"))
                .filter(word -> !word.isEmpty())
                .limit(2)
                .mapToInt(Integer::parseInt)
                .toArray();
        if (numbers.length < 2 || !Character.isDigit(text.charAt(0))) {
            throw new IllegalArgumentException("a kernel release is like 6.12, not \"" + text + '"');
        }
        return new KernelVersion(numbers[0], numbers[1]);
    }

    /** Whether this release is the required release or a later release. */
    public boolean isAtLeast(String required) {
        KernelVersion other = of(required);
        return major != other.major ? major > other.major : minor >= other.minor;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
