// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The memory held by one work request in flight. Reusable: if it is large enough, holding allocates nothing. */
public final class RequestHolds {
    private @Nullable CountedMemory[] memory;
    private @Nullable Object[] views;
    private int size;

    /** Creates room for the memory of {@code pieces} pieces; grows if a request has more. */
    public RequestHolds(int pieces) {
        memory = new CountedMemory[pieces];
        views = new Object[pieces];
    }

    /** A new object that holds the memory of {@code pieces}. */
    public static RequestHolds of(CountedPieces pieces) {
        RequestHolds held = new RequestHolds(pieces.size());
        held.hold(pieces);
        return held;
    }

    /** Holds the memory of {@code pieces}, all or nothing. */
    public void hold(CountedPieces pieces) {
        if (memory.length < pieces.size()) {
            memory = new CountedMemory[pieces.size()];
            views = new Object[pieces.size()];
        }
        try {
            for (int i = 0; i < pieces.size(); i++) {
                hold(pieces.counted(i), pieces.view(i));
            }
        } catch (RuntimeException released) {
            releaseAll();
            throw released;
        }
    }

    private void hold(@Nullable CountedMemory counted, @Nullable Object view) {
        if (counted != null && view != null) {
            counted.hold(view);
            memory[size] = counted;
            views[size] = view;
            size++;
        }
    }

    /**
     * Releases all memory. If a release fails, the remaining memory is still released, and the first failure is thrown.
     */
    public void releaseAll() {
        RuntimeException failure = null;
        for (int i = 0; i < size; i++) {
            CountedMemory counted = memory[i];
            Object view = views[i];
            try {
                if (counted != null && view != null) {
                    counted.releaseHold(view);
                }
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        Arrays.fill(memory, 0, size, null);
        Arrays.fill(views, 0, size, null);
        size = 0;
        if (failure != null) {
            throw failure;
        }
    }
}
