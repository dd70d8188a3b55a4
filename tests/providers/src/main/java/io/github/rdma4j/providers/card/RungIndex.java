// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/** How far doorbells have announced a ring: an index, and a bit that changes with every lap. */
final class RungIndex {
    private final int size;
    private int index;
    private int epoch;

    /** A ring of {@code size} places. */
    RungIndex(int size) {
        this.size = size;
    }

    int index() {
        return index;
    }

    /** How far the new index is from the one before; -1 for no index of the ring. */
    int advance(int to, int lap) {
        int distance = to - index + (lap == epoch ? 0 : size);
        index = to;
        epoch = lap;
        return to < size && distance <= size ? Math.max(-1, distance) : -1;
    }

    /** The index is 0 again; the bit stays. */
    void reset() {
        index = 0;
    }
}
