// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.providers.card.Pinned;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The mappings of the process, and what of its memory is pinned for the device. The lock of the kernel guards the pins. */
final class Memory extends Mappings {
    private final List<Pinned> pins = new ArrayList<>();
    private final Map<Long, Integer> lockedPages = new TreeMap<>();
    private final long lockedBytesLimit;
    private final CardSettings.@Nullable SharedPages shared;

    Memory(long lockedBytesLimit, CardSettings.@Nullable SharedPages shared) {
        this.lockedBytesLimit = lockedBytesLimit;
        this.shared = shared;
        if (shared != null) {
            add(shared.foreign());
        }
    }

    @Override
    protected ByteBuffer pages(int length) {
        return shared == null ? super.pages(length) : shared.allocate(length);
    }

    /** The device keeps the pages that it has pinned. */
    @Override
    public synchronized boolean retire(long address, int length) {
        detach(address, length);
        return super.retire(address, length);
    }

    @Override
    public synchronized int free(long address) {
        int length = super.free(address);
        detach(address, length);
        return length;
    }

    private void detach(long address, int length) {
        pins.stream().filter(pin -> pin.overlaps(address, length)).forEach(Pinned::detach);
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

    long lockedBytesLimit() {
        return lockedBytesLimit;
    }

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

    int lockedPages() {
        return lockedPages.size();
    }
}
