// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Header;
import org.jspecify.annotations.Nullable;

/** The receive ring of a queue pair of irdma: a receive is posted as soon as it is valid. */
final class IrdmaReceives implements ReceiveSource {
    static final long RESERVED = ~(Elements.VALID | (long) Header.MORE_MASK << Header.MORE_SHIFT);

    private final QpSpec spec;
    private final IrdmaRings rings;
    private final IrdmaRings.Format format;
    private final Complaints complaints;
    private int position;
    private boolean flushed;

    IrdmaReceives(QpSpec spec, IrdmaRings rings, Complaints complaints) {
        this.spec = spec;
        this.rings = rings;
        this.format = rings.format();
        this.complaints = complaints;
    }

    /** The completion that flushes the queue is written; true for the first time. */
    boolean flush() {
        boolean first = !flushed;
        flushed = true;
        return first;
    }

    /** Where the next receive begins, in quanta of the receive ring. */
    private int quantum() {
        return position % format.receives() << format.receiveShift();
    }

    private int at() {
        return format.receivesAt() + quantum() * Elements.QUANTUM;
    }

    private long header() {
        return IrdmaElement.header(rings.ring(), at());
    }

    @Override
    public boolean isEmpty() {
        return header() < 0 != ((position / format.receives() & 1) == 0);
    }

    @Override
    public @Nullable ReceiveElement take() {
        if (isEmpty()) {
            return null;
        }
        long header = header();
        int quanta = IrdmaElement.quanta(header, format.firstGeneration());
        IrdmaElement element = IrdmaElement.read(rings.ring(), at(), quanta, format.firstGeneration());
        boolean whole = quanta <= 1 << format.receiveShift() && element.isWhole(false);
        if (!whole || (header & RESERVED) != 0 || element.word(2) != 0) {
            complaints.add(String.format("QP 0x%x: receive %d has the header %016x", spec.qpn(), position, header));
        }
        int quantum = quantum();
        position++;
        return new ReceiveElement(quantum, element.pieces(false));
    }

    @Override
    public void reset() {
        position = 0;
        flushed = false;
    }
}
