// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.verbs.RegionMemory;
import java.lang.foreign.MemorySegment;

/** The view of a memory region on the arena of its segment: a region can see that the arena is closed, but not prevent it. */
final class SegmentOwner implements RegionMemory.Owner {
    private final MemorySegment.Scope scope;

    SegmentOwner(MemorySegment segment) {
        scope = segment.scope();
    }

    @Override
    public void ensureInPlace() {
        if (!scope.isAlive()) {
            throw new IllegalStateException(
                    "the arena of the registered segment was closed before the memory region, and"
                            + " the device would use memory that is freed; close the region, and next time before the arena");
        }
    }

    @Override
    public void release() {
        // The arena frees the memory.
    }
}
