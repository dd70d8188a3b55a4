// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

/** Inline data of an element by its quanta: so many bytes in the first, and so many in each that follows. */
final class InlineData {
    static final int FIRST_OF_GENERATION_1 = 16;
    private static final int FIRST = 8;
    private static final int NEXT = 31;

    private InlineData() {}

    /** The most inline data of {@code chunk} quanta. */
    static int most(boolean firstGeneration, int chunk) {
        return firstGeneration ? FIRST_OF_GENERATION_1 + Elements.QUANTUM : FIRST + (chunk - 1) * NEXT;
    }

    /** The quanta of an element with {@code bytes} of inline data. */
    static int quanta(boolean firstGeneration, int bytes) {
        if (firstGeneration) {
            return bytes <= FIRST_OF_GENERATION_1 ? 1 : 2;
        }
        return bytes <= FIRST ? 1 : 1 + (bytes - FIRST + NEXT - 1) / NEXT;
    }
}
