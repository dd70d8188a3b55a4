// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

/** The sizes of inline data in quanta: the first quantum holds fewer bytes than the others. */
final class InlineData {
    static final int FIRST_OF_GENERATION_1 = 16;
    private static final int FIRST = 8;
    private static final int NEXT = 31;

    private InlineData() {}

    /** The maximum size of inline data in {@code chunk} quanta. */
    static int most(boolean firstGeneration, int chunk) {
        return firstGeneration ? FIRST_OF_GENERATION_1 + Elements.QUANTUM : FIRST + (chunk - 1) * NEXT;
    }

    /** The number of quanta of an element with {@code bytes} of inline data. */
    static int quanta(boolean firstGeneration, int bytes) {
        if (firstGeneration) {
            return bytes <= FIRST_OF_GENERATION_1 ? 1 : 2;
        }
        return bytes <= FIRST ? 1 : 1 + (bytes - FIRST + NEXT - 1) / NEXT;
    }
}
