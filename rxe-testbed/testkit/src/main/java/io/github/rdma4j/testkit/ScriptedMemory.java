// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The mappings of a scripted kernel: page-aligned memory of this process, which is zeroed when it is retired. */
final class ScriptedMemory {
    static final int PAGE_SIZE = 4096;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, ByteBuffer> mappings = new HashMap<>();
    private final Set<Long> retired = new HashSet<>();

    /** Allocates {@code length} zero bytes, and returns their address. */
    long allocate(int length) {
        ByteBuffer memory = ByteBuffer.allocateDirect(length + PAGE_SIZE)
                .alignedSlice(PAGE_SIZE)
                .order(ByteOrder.nativeOrder());
        long address = NativeMemory.address(memory);
        lock.lock();
        try {
            mappings.put(address, memory);
            retired.remove(address);
        } finally {
            lock.unlock();
        }
        return address;
    }

    /** Zeroes a mapping; false when the address has no mapping of that length. */
    boolean retire(long address, int length) {
        lock.lock();
        try {
            ByteBuffer memory = mappings.get(address);
            if (memory == null || length > memory.capacity()) {
                return false;
            }
            memory.put(0, new byte[length]);
            retired.add(address);
            return true;
        } finally {
            lock.unlock();
        }
    }

    void free(long address) {
        lock.lock();
        try {
            mappings.remove(address);
        } finally {
            lock.unlock();
        }
    }

    /** The number of mappings that are neither retired nor freed. */
    int live() {
        lock.lock();
        try {
            return (int) mappings.keySet().stream()
                    .filter(address -> !retired.contains(address))
                    .count();
        } finally {
            lock.unlock();
        }
    }
}
