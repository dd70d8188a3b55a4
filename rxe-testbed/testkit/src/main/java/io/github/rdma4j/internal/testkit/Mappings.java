// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The mappings of a kernel in memory: whole pages of this process, which become zero when retired. Safe for use by
 * several threads.
 */
public class Mappings {
    /** The size of a page in bytes. */
    public static final int PAGE = 4096;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, ByteBuffer> mappings = new TreeMap<>();
    private final Set<Long> retired = new HashSet<>();

    public Mappings() {}

    /** Maps {@code length} bytes of zeros, in native byte order. */
    public final ByteBuffer allocate(int length) {
        ByteBuffer memory = pages(length);
        add(memory);
        return memory;
    }

    /** Returns zeroed whole pages, at least {@code length} bytes. */
    protected ByteBuffer pages(int length) {
        return ByteBuffer.allocateDirect(length + 2 * PAGE)
                .alignedSlice(PAGE)
                .slice(0, length + PAGE - 1 & -PAGE)
                .order(ByteOrder.nativeOrder());
    }

    /** Counts a buffer as a mapping. */
    protected final void add(ByteBuffer memory) {
        long address = NativeMemory.address(memory);
        lock.lock();
        try {
            mappings.put(address, memory);
            retired.remove(address);
        } finally {
            lock.unlock();
        }
    }

    /** Replaces a mapping by zeros. Returns false if no mapping of that length begins at the address. */
    public boolean retire(long address, int length) {
        lock.lock();
        try {
            if (!clear(address, length)) {
                return false;
            }
            retired.add(address);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Zeroes a mapping without retiring it. Returns false if no mapping of that length begins at the address. */
    public final boolean clear(long address, int length) {
        lock.lock();
        try {
            ByteBuffer memory = mappings.get(address);
            if (memory == null || length > memory.capacity()) {
                return false;
            }
            memory.put(0, new byte[length]);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the mapping that begins at the address. Returns its size in bytes, 0 if there is none. */
    public int free(long address) {
        lock.lock();
        try {
            ByteBuffer memory = mappings.remove(address);
            return memory == null ? 0 : memory.capacity();
        } finally {
            lock.unlock();
        }
    }

    /** The number of mappings that are neither retired nor freed. */
    public final int live() {
        lock.lock();
        try {
            return (int) mappings.keySet().stream()
                    .filter(address -> !retired.contains(address))
                    .count();
        } finally {
            lock.unlock();
        }
    }

    /** True if a single mapping covers the range. */
    public final boolean isMapped(long address, long length) {
        lock.lock();
        try {
            return mappings.entrySet().stream()
                    .anyMatch(each -> address >= each.getKey()
                            && address + length
                                    <= each.getKey() + each.getValue().capacity());
        } finally {
            lock.unlock();
        }
    }
}
