// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Shadow;
import org.jspecify.annotations.Nullable;

/** A shared receive queue of irdma: the shadow area says how many receives there are, and each must be valid. */
public final class IrdmaSrq extends CardSrq {
    /**
     * Where a shared receive queue is.
     *
     * @param number the number of the queue
     * @param pd the protection domain of the queue
     * @param entries elements of the ring
     * @param shift each element has two to the power of this number of quanta
     * @param ring the elements
     * @param shadow the shadow area
     */
    public record Place(int number, int pd, int entries, int shift, Pinned ring, Pinned shadow) {}

    private final Place place;

    /** Receives taken, counted without end. */
    private int position;

    public IrdmaSrq(Card card, Place place) {
        super(place.number(), place.pd(), card.noted(), card.events());
        this.place = place;
    }

    @Override
    int posted() {
        int head = (int) Long.reverseBytes(place.shadow().getLongAcquire(Shadow.HEAD_WORD * Long.BYTES));
        return Math.floorMod(head - position, place.entries());
    }

    @Override
    public @Nullable ReceiveElement take() {
        if (isEmpty()) {
            return null;
        }
        int at = position % place.entries() << place.shift() << Elements.QUANTUM_SHIFT;
        long header = IrdmaElement.header(place.ring(), at);
        int quanta = IrdmaElement.quanta(header, false);
        IrdmaElement element = IrdmaElement.read(place.ring(), at, quanta, false);
        boolean valid = header < 0 == ((position / place.entries() & 1) == 0);
        boolean whole = quanta <= 1 << place.shift() && element.isWhole(false);
        if (!valid || !whole || (header & IrdmaReceives.RESERVED) != 0) {
            complaints().add(String.format("SRQ 0x%x: receive %d has the header %016x", number(), position, header));
        }
        position++;
        ReceiveElement taken = new ReceiveElement((int) element.word(2), element.pieces(false));
        checkLimit();
        return taken;
    }
}
