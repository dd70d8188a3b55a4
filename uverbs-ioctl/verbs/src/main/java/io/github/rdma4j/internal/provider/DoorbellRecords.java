// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
    /** As large as a cache line, so that two queues do not share one. */
    private static final int BYTES = 64;

    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Device device;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private final List<RingMemory> pages = new ArrayList<>();

    /** Guarded by {@link #lock}. */
    private final Deque<Slot> free = new ArrayDeque<>();

    /** Creates a pool without pages. */
    public DoorbellRecords(Device device) {
        this.device = device;
    }

    /**
     * A record: two numbers, big-endian of 32 bits or little-endian of 64 bits.
     *
     * @param page the page that contains the record
     * @param bytes the bytes of the page
     * @param offset its first byte in the page
     */
    public record Slot(RingMemory page, ByteBuffer bytes, int offset) {
        /** Writes the big-endian number {@code index}, 0 or 1, after all earlier writes. */
        public void releaseInt(int index, int value) {
            INT.setRelease(bytes, offset + index * Integer.BYTES, value);
        }

        /** Writes the little-endian number {@code index}, 0 or 1, after all earlier writes. */
        public void releaseLong(int index, long value) {
            LONG.setRelease(bytes, offset + index * Long.BYTES, value);
        }
    }

    /** Takes a zeroed record. */
    public Slot take() throws RdmaException {
        lock.lock();
        try {
            if (free.isEmpty()) {
                addPage();
            }
            Slot slot = free.pop();
            for (int i = 0; i < BYTES; i++) {
                slot.bytes().put(slot.offset() + i, (byte) 0);
            }
            return slot;
        } finally {
            lock.unlock();
        }
    }

    private void addPage() throws RdmaException {
        RingMemory page = device.allocate(device.pageSize(), "doorbell records");
        pages.add(page);
        for (int offset = device.pageSize() - BYTES; offset >= 0; offset -= BYTES) {
            free.push(new Slot(page, page.buffer(), offset));
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
