// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.verbs.RegionMemory;
import java.lang.foreign.MemorySegment;

/** Lets a memory region detect that the arena of its segment is closed, which the region cannot prevent. */
final class SegmentOwner implements RegionMemory.Owner {
    private final MemorySegment.Scope scope;

    SegmentOwner(MemorySegment segment) {
        scope = segment.scope();
    }

    @Override
    public void ensureInPlace() {
        if (!scope.isAlive()) {
            throw new IllegalStateException("the arena of the registered segment was closed before the memory region,"
                    + " and the device would access freed memory: close the region, and in future before the arena");
        }
    }

    @Override
    public void release() {
        // The arena frees the memory.
    }
}
