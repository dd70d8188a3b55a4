// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The user indexes of a context: the numbers of queue pairs and XRC shared receive queues in completions of version 1.
 */
final class UserIndexes {
    /** No user index. */
    static final int NONE = 0xffffff;

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private final BitSet taken = new BitSet();

    /** Takes the lowest free index. */
    int take() {
        lock.lock();
        try {
            int index = taken.nextClearBit(0);
            if (index == NONE) {
                throw new IllegalStateException(
                        "the device context has " + NONE + " queue pairs and shared receive queues of XRC already");
            }
            taken.set(index);
            return index;
        } finally {
            lock.unlock();
        }
    }

    /** Releases an index whose completions have all been removed; ignores {@link #NONE}. */
    void release(int index) {
        if (index == NONE) {
            return;
        }
        lock.lock();
        try {
            taken.clear(index);
        } finally {
            lock.unlock();
        }
    }
}
