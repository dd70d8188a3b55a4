// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.util.Arrays;

/** A release of Linux as far as it decides what a kernel can do: {@code 6.12} of {@code 6.12.48-amd64}. */
record KernelRelease(int major, int minor) {
    static KernelRelease of(String text) {
        int[] numbers = Arrays.stream(text.split("\\D+"))
                .filter(word -> !word.isEmpty())
                .limit(2)
                .mapToInt(Integer::parseInt)
                .toArray();
        if (numbers.length < 2 || !Character.isDigit(text.charAt(0))) {
            throw new IllegalArgumentException("a kernel release is like 6.12, not \"" + text + '"');
        }
        return new KernelRelease(numbers[0], numbers[1]);
    }

    boolean isAtLeast(String required) {
        KernelRelease other = of(required);
        return major != other.major ? major > other.major : minor >= other.minor;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
