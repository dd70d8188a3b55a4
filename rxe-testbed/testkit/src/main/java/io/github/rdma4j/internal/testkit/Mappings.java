// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import io.github.rdma4j.internal.memory.NativeMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The mappings of a kernel in memory: whole pages of this process, which become zero when retired. Safe for use by
 * several threads.
 */
public class Mappings {
    /** The size of a page in bytes. */
    public static final int PAGE = 4096;

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
    protected final synchronized void add(ByteBuffer memory) {
        long address = NativeMemory.address(memory);
        mappings.put(address, memory);
        retired.remove(address);
    }

    /** Replaces a mapping by zeros. Returns false if no mapping of that length begins at the address. */
    public synchronized boolean retire(long address, int length) {
        if (!clear(address, length)) {
            return false;
        }
        retired.add(address);
        return true;
    }

    /** Zeroes a mapping without retiring it. Returns false if no mapping of that length begins at the address. */
    public final synchronized boolean clear(long address, int length) {
        ByteBuffer memory = mappings.get(address);
        if (memory == null || length > memory.capacity()) {
            return false;
        }
        memory.put(0, new byte[length]);
        return true;
    }

    /** Forgets the mapping that begins at the address. Returns its size in bytes, 0 if there is none. */
    public synchronized int free(long address) {
        ByteBuffer memory = mappings.remove(address);
        return memory == null ? 0 : memory.capacity();
    }

    /** The number of mappings that are neither retired nor freed. */
    public final synchronized int live() {
        return (int) mappings.keySet().stream()
                .filter(address -> !retired.contains(address))
                .count();
    }

    /** True if a single mapping covers the range. */
    public final synchronized boolean isMapped(long address, long length) {
        return mappings.entrySet().stream()
                .anyMatch(each -> address >= each.getKey()
                        && address + length <= each.getKey() + each.getValue().capacity());
    }
}
