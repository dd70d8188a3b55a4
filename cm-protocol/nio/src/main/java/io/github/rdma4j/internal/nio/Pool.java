// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Objects that nobody uses at the moment, {@value #PLACES} of them at most. Taking and giving back allocate nothing. */
final class Pool<T> {
    private static final int PLACES = 32;

    private final AtomicReferenceArray<@Nullable T> idle = new AtomicReferenceArray<>(PLACES);

    @Nullable
    T take() {
        for (int i = 0; i < PLACES; i++) {
            T found = idle.get(i);
            if (found != null && idle.compareAndSet(i, found, null)) {
                return found;
            }
        }
        return null;
    }

    /** Returns false if there is no place left; the object is the caller's to close. */
    boolean give(T object) {
        for (int i = 0; i < PLACES; i++) {
            if (idle.get(i) == null && idle.compareAndSet(i, null, object)) {
                return true;
            }
        }
        return false;
    }
}
