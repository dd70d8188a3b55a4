// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

/** Two neighbouring big-endian words of an element as one number, so that one store writes both. */
final class WordPair {
    private static final long LOW = 0xffff_ffffL;

    private WordPair() {}

    static long of(int first, int second) {
        return (long) first << Integer.SIZE | (second & LOW);
    }
}
