// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

/**
 * A buddy allocator: splits a range into blocks of power-of-two lengths by halving, and merges free halves. A block of
 * order n has 2^n units. Not safe for use by several threads.
 */
final class BuddyTree {
    private final int order;

    /**
     * For each node, with the root at index 1: one more than the order of the largest free block below it, or 0 if
     * there is none.
     */
    private final byte[] largest;

    /** Creates a free range of 2^{@code order} units. */
    BuddyTree(int order) {
        this.order = order;
        largest = new byte[2 << order];
        for (int node = 1; node < largest.length; node++) {
            int depth = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(node);
            largest[node] = (byte) (order - depth + 1);
        }
    }

    boolean isFree() {
        return largest[1] == order + 1;
    }

    /** Takes a free block of order {@code wanted}; returns its first unit, or -1 if there is none. */
    int take(int wanted) {
        if (largest[1] <= wanted) {
            return -1;
        }
        int node = 1;
        for (int at = order; at > wanted; at--) {
            node = largest[2 * node] > wanted ? 2 * node : 2 * node + 1;
        }
        set(node, wanted, 0);
        return (node << wanted) - (1 << order);
    }

    /** Frees a block. */
    void give(int unit, int taken) {
        set((unit + (1 << order)) >> taken, taken, taken + 1);
    }

    private void set(int node, int at, int free) {
        largest[node] = (byte) free;
        int whole = at + 1;
        for (int parent = node / 2; parent > 0; parent /= 2) {
            int left = largest[2 * parent];
            int right = largest[2 * parent + 1];
            largest[parent] = (byte) (left == whole && right == whole ? whole + 1 : Math.max(left, right));
            whole++;
        }
    }
}
