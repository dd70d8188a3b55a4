// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import io.github.rdma4j.internal.verbs.RegionMemory;
import io.netty.buffer.ByteBuf;

/**
 * The hold of a memory region on a ByteBuf: on the buffer as it was given, which may have a count of its own or a leak
 * detector that wants to see the last release, and on the root that has the memory, because there are views that count
 * nothing.
 */
final class NettyOwner implements RegionMemory.Owner {
    private final ByteBuf buffer;
    private final boolean isView;
    private final ByteBuf root;
    private final int capacity;
    private final boolean hasAddress;
    private final long address;

    /** Holds both; fails when one of them has been released. */
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
            throw new IllegalStateException("the registered buffer was released once too often: " + buffer);
        }
        if (root.capacity() != capacity || (hasAddress && root.memoryAddress() != address)) {
            throw new IllegalStateException(
                    "the registered buffer was moved by capacity(int), and the device would still"
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
