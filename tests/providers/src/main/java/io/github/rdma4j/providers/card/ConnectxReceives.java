// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.MemoryKey.Segment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The receive ring of a queue pair of the ConnectX family: word 0 of the record counts what was posted. */
public final class ConnectxReceives implements ReceiveSource {
    private static final int COUNTER_MASK = 0xffff;
    private static final int KEY = 4;
    private static final int ADDRESS = 8;

    private final Pinned ring;
    private final @Nullable Pinned record;
    private final Part part;
    private final Complaints complaints;
    private int head;

    /**
     * A ring in the memory of both.
     *
     * @param at where it begins
     * @param count entries, a power of two
     * @param shift log2 of the bytes of an entry
     */
    public record Part(int at, int count, int shift) {
        /** Where the entry of a counter is. */
        int of(int counter) {
            return at + ((counter & count - 1) << shift);
        }
    }

    /** The part of {@code ring} with receives, which has no entries without a record. */
    ConnectxReceives(Pinned ring, @Nullable Pinned record, Part part, Complaints complaints) {
        this.ring = ring;
        this.record = record;
        this.part = part;
        this.complaints = complaints;
    }

    private int posted() {
        return record == null || part.count() == 0 ? 0 : record.getAcquire(0) - head & COUNTER_MASK;
    }

    @Override
    public boolean isEmpty() {
        return posted() == 0;
    }

    @Override
    public @Nullable ReceiveElement take() {
        if (isEmpty()) {
            return null;
        }
        if (posted() > part.count()) {
            complaints.add(String.format("%d receives posted into a ring of %d", posted(), part.count()));
            return null;
        }
        int counter = head;
        head = head + 1 & COUNTER_MASK;
        return read(ring.bytes(), part.of(counter), (1 << part.shift()) / Segment.BYTES, counter, complaints);
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
