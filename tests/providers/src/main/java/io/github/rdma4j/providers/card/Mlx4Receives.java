// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.MemoryKey.Segment;
import org.jspecify.annotations.Nullable;

/** The receive ring of a ConnectX-3 queue pair, whose record counts what was posted. */
final class Mlx4Receives implements ReceiveSource {
    private static final int COUNTER_MASK = 0xffff;

    private final Mlx4Rings rings;
    private final Complaints complaints;
    private int head;

    Mlx4Receives(Mlx4Rings rings, Complaints complaints) {
        this.rings = rings;
        this.complaints = complaints;
    }

    private int posted() {
        Pinned record = rings.record();
        return record == null ? 0 : record.getAcquire(0) - head & COUNTER_MASK;
    }

    @Override
    public boolean isEmpty() {
        return posted() == 0;
    }

    @Override
    public @Nullable ReceiveElement take() {
        Mlx4Rings.Part part = rings.receives();
        if (isEmpty()) {
            return null;
        }
        if (posted() > part.count()) {
            complaints.add(String.format("%d receives posted into a ring of %d", posted(), part.count()));
            return null;
        }
        int counter = head;
        head = head + 1 & COUNTER_MASK;
        int room = (1 << part.shift()) / Segment.BYTES;
        return Mlx5Receives.read(rings.ring().bytes(), part.of(counter), room, counter, complaints);
    }

    @Override
    public void reset() {
        head = 0;
    }
}
