// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Doorbell records: small areas, in pages shared by the queues of a context, from which the device reads the progress
 * of a queue. A record is reused only after the kernel has destroyed its queue. Safe for use by several threads.
 */
public final class DoorbellRecords {
    private final Device device;
    private final int bytes;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private final List<RingMemory> pages = new ArrayList<>();

    /** Guarded by {@link #lock}. */
    private final Deque<Slot> free = new ArrayDeque<>();

    /**
     * Creates a pool of records of {@code bytes} each, without pages.
     *
     * @param bytes a divisor of the page size, as large as a cache line so that two queues do not share one
     */
    public DoorbellRecords(Device device, int bytes) {
        this.device = device;
        this.bytes = bytes;
    }

    /**
     * A record.
     *
     * @param page the page that contains the record
     * @param offset its first byte in the page
     */
    public record Slot(RingMemory page, int offset) {}

    /** Takes a zeroed record. */
    public Slot take() throws RdmaException {
        lock.lock();
        try {
            if (free.isEmpty()) {
                addPage();
            }
            Slot slot = free.pop();
            for (int i = 0; i < bytes; i++) {
                slot.page().buffer().put(slot.offset() + i, (byte) 0);
            }
            return slot;
        } finally {
            lock.unlock();
        }
    }

    private void addPage() throws RdmaException {
        RingMemory page = device.allocate(device.pageSize(), "doorbell records");
        pages.add(page);
        for (int offset = device.pageSize() - bytes; offset >= 0; offset -= bytes) {
            free.push(new Slot(page, offset));
        }
    }

    /**
     * Gives a record back.
     *
     * @param destroyed as for {@link Creation#abandon}: with false, the record is never reused
     */
    public void release(Slot slot, boolean destroyed) {
        if (destroyed) {
            lock.lock();
            try {
                free.push(slot);
            } finally {
                lock.unlock();
            }
        }
    }

    /** Retires all pages, after the queues of the context are closed. */
    public void retire() {
        lock.lock();
        try {
            pages.forEach(RingMemory::retire);
            free.clear();
        } finally {
            lock.unlock();
        }
    }
}
