// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.MemoryKey.Segment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The receive ring of a ConnectX queue pair: it starts the buffer, and word 0 of the record counts what was posted. */
final class Mlx5Receives implements ReceiveSource {
    private static final int COUNTER_MASK = 0xffff;
    private static final int KEY = 4;
    private static final int ADDRESS = 8;

    private final Pinned ring;
    private final Pinned record;
    private final int count;
    private final int shift;
    private final Complaints complaints;
    private int head;

    Mlx5Receives(Mlx5Rings rings, Complaints complaints) {
        this.ring = rings.ring();
        this.record = rings.record();
        this.count = rings.receiveCount();
        this.shift = rings.receiveShift();
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
        return read(ring.bytes(), at, (1 << shift) / Segment.BYTES, counter, complaints);
    }

    @Override
    public void reset() {
        head = 0;
    }

    /** Reads up to {@code room} pieces at {@code at}. */
    static ReceiveElement read(ByteBuffer ring, int at, int room, int counter, Complaints complaints) {
        List<Segment> pieces = new ArrayList<>();
        for (int i = 0; i < room; i++) {
            int base = at + i * Segment.BYTES;
            Segment piece = new Segment(ring.getInt(base), ring.getInt(base + KEY), ring.getLong(base + ADDRESS));
            if (piece.length() == 0 && piece.key() == Segment.INVALID_KEY) {
                break;
            }
            if (piece.length() <= 0) {
                complaints.add(String.format(
                        "receive %d has a piece of length %d, which means 2 GiB", counter, piece.length()));
                break;
            }
            pieces.add(piece);
        }
        return new ReceiveElement(counter, pieces);
    }
}
