// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.lab.mlx5.card.Pinned;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The mappings of the process, and what of its memory is pinned for the device. */
final class Memory {
    static final int PAGE = 4096;

    private final Map<Long, ByteBuffer> mappings = new TreeMap<>();
    private final Set<Long> retired = new HashSet<>();
    private final List<Pinned> pins = new ArrayList<>();
    private final Map<Long, Integer> lockedPages = new TreeMap<>();
    private final long lockedBytesLimit;
    private final @Nullable SharedPages shared;

    Memory(long lockedBytesLimit, @Nullable SharedPages shared) {
        this.lockedBytesLimit = lockedBytesLimit;
        this.shared = shared;
        if (shared != null) {
            ByteBuffer foreign = shared.foreign();
            mappings.put(NativeMemory.address(foreign), foreign);
        }
    }

    long lockedBytesLimit() {
        return lockedBytesLimit;
    }

    /** The address of {@code length} bytes of zeros. */
    long allocate(int length) {
        ByteBuffer memory = shared == null ? pages(length) : shared.allocate(length);
        long address = NativeMemory.address(memory);
        mappings.put(address, memory);
        retired.remove(address);
        return address;
    }

    private static ByteBuffer pages(int length) {
        return ByteBuffer.allocateDirect(length + 2 * PAGE)
                .alignedSlice(PAGE)
                .slice(0, length + PAGE - 1 & -PAGE)
                .order(ByteOrder.nativeOrder());
    }

    /** Puts pages of zeros at the addresses of a mapping; the device keeps those that it has pinned. */
    long retire(long address, int length) {
        ByteBuffer memory = mappings.get(address);
        if (memory == null || length > memory.capacity()) {
            return OpenFile.refused(Errno.EINVAL);
        }
        pins.stream().filter(pin -> pin.overlaps(address, length)).forEach(Pinned::detach);
        clear(address, length);
        retired.add(address);
        return address;
    }

    /** What a mapping of a device that is gone looks like. */
    void clear(long address, int length) {
        ByteBuffer memory = mappings.get(address);
        if (memory != null) {
            memory.put(0, new byte[length]);
        }
    }

    void free(long address) {
        ByteBuffer memory = mappings.remove(address);
        if (memory != null) {
            pins.stream()
                    .filter(pin -> pin.overlaps(address, memory.capacity()))
                    .forEach(Pinned::detach);
        }
    }

    /** Mappings that are neither retired nor freed. */
    int live() {
        return (int) mappings.keySet().stream()
                .filter(address -> !retired.contains(address))
                .count();
    }

    /** Whether all of the range is mapped by the process through this kernel. */
    boolean isMapped(long address, long length) {
        return mappings.entrySet().stream()
                .anyMatch(each -> address >= each.getKey()
                        && address + length <= each.getKey() + each.getValue().capacity());
    }

    Pinned pin(long address, int length) {
        Pinned pin = Pinned.at(address, length);
        pins.add(pin);
        return pin;
    }

    void unpin(Pinned pin) {
        pins.remove(pin);
    }

    // ---- RLIMIT_MEMLOCK

    /** Counts the pages of a range; false when the limit does not allow it. */
    boolean lock(long address, long length) {
        for (long page = address / PAGE; page <= (address + length - 1) / PAGE; page++) {
            lockedPages.merge(page, 1, Integer::sum);
        }
        if ((long) lockedPages.size() * PAGE > lockedBytesLimit) {
            unlock(address, length);
            return false;
        }
        return true;
    }

    void unlock(long address, long length) {
        for (long page = address / PAGE; page <= (address + length - 1) / PAGE; page++) {
            lockedPages.merge(page, -1, Integer::sum);
            lockedPages.remove(page, 0);
        }
    }

    /** Pages that are pinned for the device. */
    int locked() {
        return lockedPages.size();
    }
}
