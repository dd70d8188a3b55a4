// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.erdma.Elements;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The receive ring of a queue pair of erdma: each receive has a doorbell. */
final class ErdmaReceives implements ReceiveSource, ErdmaPages.Rung {
    private static final int COUNTER_MASK = 0xffff;

    private final QpSpec spec;
    private final ErdmaRings rings;
    private final Complaints complaints;
    private int head;
    private int rung;

    ErdmaReceives(QpSpec spec, ErdmaRings rings, Complaints complaints) {
        this.spec = spec;
        this.rings = rings;
        this.complaints = complaints;
    }

    @Override
    public ErdmaPages pages() {
        return rings.pages();
    }

    @Override
    public boolean isEmpty() {
        return head == rung;
    }

    @Override
    public @Nullable ReceiveElement take() {
        if (isEmpty()) {
            return null;
        }
        ByteBuffer ring = rings.ring().bytes();
        int at = rings.receivesAt() + (head & rings.receives() - 1) * Elements.BLOCK;
        int counter = head;
        head = head + 1 & COUNTER_MASK;
        long first = Long.reverseBytes(ring.getLong(at));
        if (first != ((long) spec.qpn() << Integer.SIZE | head) || ring.getLong(at + 8) != 0) {
            complaints.add(String.format("QP 0x%x: receive %d begins with %016x", spec.qpn(), counter, first));
        }
        int length = Integer.reverseBytes(ring.getInt(at + 24));
        if (length < 0) {
            complaints.add(String.format("QP 0x%x: receive %d has %d bytes", spec.qpn(), counter, length));
        }
        Segment piece = new Segment(
                length, Integer.reverseBytes(ring.getInt(at + 28)), Long.reverseBytes(ring.getLong(at + 16)));
        return new ReceiveElement(counter, length <= 0 ? List.of() : List.of(piece));
    }

    @Override
    public void reset() {
        head = 0;
        rung = 0;
    }

    private long recorded() {
        return Long.reverseBytes(rings.record().getLongAcquire(Long.BYTES));
    }

    private int ahead(long counter) {
        return (int) counter - head & COUNTER_MASK;
    }

    /** The doorbell is the beginning of the receive that was posted last. */
    @Override
    public void ring(long doorbell) {
        boolean behind = (recorded() - doorbell & COUNTER_MASK) > rings.receives();
        if (behind || ahead(doorbell) > rings.receives()) {
            // A record that was taken for another queue's doorbell may have been used up by now.
            if ((head - doorbell & COUNTER_MASK) > rings.receives()) {
                complaints.add(String.format(
                        "QP 0x%x: receives rung with %016x at %d, its record is %016x",
                        spec.qpn(), doorbell, head, recorded()));
            }
        } else if (ahead(doorbell) > ahead(rung)) {
            rung = (int) doorbell & COUNTER_MASK;
        }
    }

    @Override
    public void ringAsRecorded() {
        if (ahead(recorded()) > ahead(rung) && ahead(recorded()) <= rings.receives()) {
            rung = (int) recorded() & COUNTER_MASK;
        }
    }
}
