// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.bnxt.Elements;
import io.github.rdma4j.internal.bnxt.Elements.Header;
import io.github.rdma4j.internal.bnxt.Elements.Operations;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The receive ring of a queue pair of bnxt_re. */
final class BnxtReceives implements ReceiveSource {
    private static final int SLOT = Elements.SLOT;

    private final QpSpec spec;
    private final BnxtRings rings;
    private final Complaints complaints;
    private final RungIndex rung;
    private int position;

    /** The process flushes what is left. */
    private boolean failed;

    BnxtReceives(QpSpec spec, BnxtRings rings, Complaints complaints) {
        this.spec = spec;
        this.rings = rings;
        this.complaints = complaints;
        this.rung = new RungIndex(rings.format().receives());
    }

    boolean isFailed() {
        return failed;
    }

    void fail() {
        failed = true;
    }

    boolean ring(BnxtPage.Rung doorbell) {
        return rung.advance(doorbell.index(), doorbell.epoch()) > 0;
    }

    @Override
    public boolean isEmpty() {
        return position == rung.index();
    }

    @Override
    public @Nullable ReceiveElement take() {
        if (isEmpty()) {
            return null;
        }
        int at = position * rings.format().receiveSlots() * SLOT;
        int tag = Integer.reverseBytes(rings.receiveRing().getInt(at + Long.BYTES));
        if (tag != position) {
            complaints.add(String.format("QP 0x%x: receive %d has the number %d", spec.qpn(), position, tag));
        }
        List<Segment> pieces = read(rings.receiveRing(), at, rings.format().receiveSlots(), complaints);
        ReceiveElement taken = new ReceiveElement(position, pieces);
        position = (position + 1) % rings.format().receives();
        return taken;
    }

    /** The pieces of a receive of at most {@code most} slots. */
    static List<Segment> read(Pinned ring, int at, int most, Complaints complaints) {
        int header = Integer.reverseBytes(ring.getInt(at));
        int slots = header >>> Header.SLOTS_SHIFT;
        if ((header & 0xffff) != Operations.RECEIVE || slots < Elements.HEADER_SLOTS || slots > most) {
            complaints.add(String.format("a receive at %d has the header %08x", at, header));
            return List.of();
        }
        List<Segment> pieces = new ArrayList<>();
        for (int i = Elements.HEADER_SLOTS; i < slots; i++) {
            int from = at + i * SLOT;
            int length = Integer.reverseBytes(ring.getInt(from + 12));
            if (length != 0) {
                long address = Long.reverseBytes(ring.bytes().getLong(from));
                pieces.add(new Segment(length, Integer.reverseBytes(ring.getInt(from + Long.BYTES)), address));
            }
        }
        return pieces;
    }

    @Override
    public void reset() {
        position = 0;
        failed = false;
        rung.reset();
    }
}
