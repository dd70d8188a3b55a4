// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import io.github.rdma4j.internal.verbs.RegionMemory;
import io.netty.buffer.ByteBuf;

/**
 * The references that a memory region holds on a ByteBuf: one on the given buffer, which may be counted separately or
 * have a leak detector that must see the last release, and one on the root that owns the memory, because some views are
 * not counted.
 */
final class NettyOwner implements RegionMemory.Owner {
    private final ByteBuf buffer;
    private final boolean isView;
    private final ByteBuf root;
    private final int capacity;
    private final boolean hasAddress;
    private final long address;

    /** Retains both buffers; fails if one of them has been released. */
    NettyOwner(ByteBuf buffer, ByteBuf root) {
        this.buffer = buffer.retain();
        isView = buffer.unwrap() != null;
        try {
            this.root = isView ? root.retain() : root;
        } catch (RuntimeException e) {
            buffer.release();
            throw e;
        }
        capacity = root.capacity();
        hasAddress = root.hasMemoryAddress();
        address = hasAddress ? root.memoryAddress() : 0;
    }

    @Override
    public void ensureInPlace() {
        if (root.refCnt() <= 0) {
            throw new IllegalStateException("the registered buffer was released too often: " + buffer);
        }
        if (root.capacity() != capacity || (hasAddress && root.memoryAddress() != address)) {
            throw new IllegalStateException(
                    "the registered buffer was moved by capacity(int), but the device would still"
                            + " use its old memory; close the region: " + buffer);
        }
    }

    @Override
    public void release() {
        try {
            if (isView) {
                root.release();
            }
        } finally {
            buffer.release();
        }
    }
}
