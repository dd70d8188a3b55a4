// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import org.jspecify.annotations.Nullable;

/** The receive ring of a queue pair: it starts the buffer, and word 0 of the record counts what was posted. */
final class OwnReceives implements ReceiveSource {
    private static final int COUNTER_MASK = 0xffff;

    private final Pinned ring;
    private final Pinned record;
    private final int count;
    private final int shift;
    private final Complaints complaints;
    private int head;

    OwnReceives(QueuePairSpec spec, Complaints complaints) {
        this.ring = spec.ring();
        this.record = spec.record();
        this.count = spec.receiveCount();
        this.shift = spec.receiveShift();
        this.complaints = complaints;
    }

    private int posted() {
        return record.getAcquire(0) - head & COUNTER_MASK;
    }

    @Override
    public boolean isEmpty() {
        return count == 0 || posted() == 0;
    }

    @Override
    public @Nullable ReceiveElement take() {
        if (isEmpty()) {
            return null;
        }
        if (posted() > count) {
            complaints.add(String.format("%d receives posted into a ring of %d", posted(), count));
            return null;
        }
        int at = (head & count - 1) << shift;
        int counter = head;
        head = head + 1 & COUNTER_MASK;
        return ReceiveElement.read(ring.bytes(), at, (1 << shift) / Segment.BYTES, counter, complaints);
    }

    @Override
    public void reset() {
        head = 0;
    }
}
