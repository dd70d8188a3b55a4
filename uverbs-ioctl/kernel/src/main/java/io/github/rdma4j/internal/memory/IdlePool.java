// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Objects that no thread uses at present, at most {@value #MAX_IDLE}. Taking and putting allocate nothing, whatever the
 * number of threads: the objects are in slots of an array.
 */
public final class IdlePool<T> {
    public static final int MAX_IDLE = 64;

    private final AtomicReferenceArray<@Nullable T> idle = new AtomicReferenceArray<>(MAX_IDLE);

    /** Takes an object out of the pool; returns null if all are in use. */
    public @Nullable T take() {
        for (int i = 0; i < MAX_IDLE; i++) {
            T found = idle.get(i);
            if (found != null && idle.compareAndSet(i, found, null)) {
                return found;
            }
        }
        return null;
    }

    /** Puts an object into the pool; returns false if the pool is full. */
    public boolean put(T object) {
        for (int i = 0; i < MAX_IDLE; i++) {
            if (idle.get(i) == null && idle.compareAndSet(i, null, object)) {
                return true;
            }
        }
        return false;
    }
}
