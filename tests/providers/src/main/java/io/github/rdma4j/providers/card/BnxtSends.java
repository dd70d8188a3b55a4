// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.bnxt.Elements;
import io.github.rdma4j.internal.bnxt.Elements.Header;
import io.github.rdma4j.internal.bnxt.Elements.Operations;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import io.github.rdma4j.providers.card.SendElement.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The send ring of a queue pair of bnxt_re. Whatever does not fit the queue pair, the place or the format fails the request with
 * {@link Syndrome#LOCAL_QP_OP_ERR}, and is complained about.
 */
final class BnxtSends implements SendSource {
    private static final int SLOT = Elements.SLOT;
    private static final int HEADER = Elements.HEADER_SLOTS * SLOT;
    private static final int PSN_MASK = 0xff_ffff;
    private static final int UNKNOWN = -1;

    private final QpSpec spec;
    private final BnxtRings rings;
    private final BnxtRings.Format format;
    private final Complaints complaints;
    private final RungIndex rung;

    /** The slot of the next element, or its number if all have the same length. */
    private int position;

    private int name;
    private int message;
    private int nextPacket = UNKNOWN;

    /** The process flushes what is left. */
    private boolean failed;

    BnxtSends(QpSpec spec, BnxtRings rings, Complaints complaints) {
        this.spec = spec;
        this.rings = rings;
        this.format = rings.format();
        this.complaints = complaints;
        this.rung = new RungIndex(format.variable() ? format.slots() : format.names());
    }

    boolean isFailed() {
        return failed;
    }

    void fail() {
        failed = true;
    }

    /** False for a doorbell that cannot be. */
    boolean ring(BnxtPage.Rung doorbell) {
        return rung.advance(doorbell.index(), doorbell.epoch()) > 0;
    }

    private int slot() {
        return format.variable() ? position : position * Elements.FIXED_SLOTS;
    }

    private int header() {
        return Integer.reverseBytes(rings.sendRing().getInt(slot() * SLOT));
    }

    private int slots() {
        return header() >>> Header.SLOTS_SHIFT & Header.SLOTS_MASK;
    }

    @Override
    public int head() {
        return name;
    }

    @Override
    public boolean hasWork() {
        return position != rung.index();
    }

    @Override
    public int code() {
        return header() & Header.OPERATION_MASK;
    }

    @Override
    public int units() {
        return format.variable() ? Math.max(1, slots()) : 1;
    }

    @Override
    public void advance(int units) {
        position = (position + units) % (format.variable() ? format.slots() : format.names());
        name = (name + 1) % format.names();
        message++;
    }

    @Override
    public void reset() {
        position = 0;
        name = 0;
        nextPacket = UNKNOWN;
        failed = false;
        rung.reset();
    }

    // ---- reading

    private ByteBuffer element() throws CardFault {
        int slots = slots();
        int most = format.variable() ? Elements.HEADER_SLOTS + Elements.MOST_PIECES : Elements.FIXED_SLOTS;
        require(slots >= Elements.HEADER_SLOTS && slots <= most, "%d slots", slots);
        ByteBuffer element = ByteBuffer.allocate(slots * SLOT).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < slots; i++) {
            element.put(i * SLOT, rings.sendRing().bytes(), (slot() + i) % format.slots() * SLOT, SLOT);
        }
        return element;
    }

    @Override
    public SendElement read() throws CardFault {
        ByteBuffer element = element();
        int header = element.getInt(0);
        boolean inline = (header & Header.INLINE) != 0;
        Operation operation = operationOf(header & Header.OPERATION_MASK);
        List<Segment> pieces = inline ? List.of() : pieces(element);
        int length = inline ? element.getInt(8) : (int) Segment.total(pieces);
        require(
                operation.isAtomic() || length == element.getInt(8),
                "a length that its pieces do not have, %d",
                length);
        boolean fits = !inline || (length >= 0 && length <= element.capacity() - HEADER);
        require(fits, "%d bytes of inline data", length);
        checkPackets(length);
        long operand = operation.isAtomic() ? element.getLong(SLOT) : 0;
        long compare = operation == Operation.COMPARE_AND_SWAP ? element.getLong(SLOT + Long.BYTES) : 0;
        ByteBuffer data = inline ? element.slice(HEADER, length) : null;
        Memory memory = new Memory(remote(operation, element, length), operand, compare, pieces, data);
        int immediate = operation.hasImmediate() ? element.getInt(4) : 0;
        Destination to = destination(element);
        return new SendElement(name, operation, code(), units(), flags(header), immediate, 0, to, memory);
    }

    private static Segment remote(Operation operation, ByteBuffer element, int length) {
        if (operation.isAtomic()) {
            return new Segment(length, element.getInt(4), element.getLong(8));
        }
        boolean remote = operation.hasRemoteAddress();
        return new Segment(length, remote ? element.getInt(SLOT + Long.BYTES) : 0, remote ? element.getLong(SLOT) : 0);
    }

    private static List<Segment> pieces(ByteBuffer element) {
        List<Segment> pieces = new ArrayList<>();
        for (int at = HEADER; at < element.capacity(); at += SLOT) {
            int length = element.getInt(at + 12);
            if (length != 0) {
                pieces.add(new Segment(length, element.getInt(at + Long.BYTES), element.getLong(at)));
            }
        }
        return pieces;
    }

    private Operation operationOf(int number) throws CardFault {
        boolean send = number == Operations.SEND || number == Operations.SEND_WITH_IMM;
        require(send || spec.type() != QpSpec.UD, "the operation %d of a queue pair of datagrams", number);
        return switch (number) {
            case Operations.SEND -> Operation.SEND;
            case Operations.SEND_WITH_IMM -> Operation.SEND_IMM;
            case Operations.WRITE -> Operation.WRITE;
            case Operations.WRITE_WITH_IMM -> Operation.WRITE_IMM;
            case Operations.READ -> Operation.READ;
            case Operations.COMPARE_SWAP -> Operation.COMPARE_AND_SWAP;
            case Operations.FETCH_ADD -> Operation.FETCH_AND_ADD;
            default -> throw complaints.fault(spec.qpn(), name, "the operation %d", number);
        };
    }

    private static int flags(int header) {
        return ((header & Header.SIGNALED) != 0 ? SendElement.SIGNALED : 0)
                | ((header & Header.SOLICITED) != 0 ? SendElement.SOLICITED : 0)
                | ((header & Header.FENCE) != 0 ? SendElement.FENCE : 0);
    }

    private @Nullable Destination destination(ByteBuffer element) throws CardFault {
        if (spec.type() != QpSpec.UD) {
            return null;
        }
        int id = element.getInt(SLOT + 4);
        Destination to = rings.page().addresses().destination(id, element.getInt(SLOT), element.getInt(12));
        if (to == null) {
            throw complaints.fault(spec.qpn(), name, "the address %d", id);
        }
        return to;
    }

    /** The packets of an element follow those of the element before it. An element may be read again. */
    private void checkPackets(int length) throws CardFault {
        if (spec.type() != QpSpec.RC) {
            return;
        }
        boolean table = format.table() > 0;
        int entry = table ? Math.floorMod(message, format.table()) : position;
        int at = format.slots() * SLOT + entry * format.packetBytes();
        long word = Long.reverseBytes(rings.sendRing().bytes().getLong(at));
        int first = (int) word & PSN_MASK;
        int next = (int) (word >>> (table ? 24 : 32)) & PSN_MASK;
        boolean follows = nextPacket == UNKNOWN || first == nextPacket || next == nextPacket;
        require(follows, "packets from %d on, which do not follow", first);
        require(next != first || length > 1 << 23, "no packet, from %d on", first);
        if (table) {
            require((int) (word >>> 48) == (position & 0xffff), "packets of the element at %d", (int) (word >>> 48));
        }
        if (next != nextPacket) {
            nextPacket = next;
        }
    }

    private void require(boolean holds, String what, int value) throws CardFault {
        complaints.require(holds, spec.qpn(), name, what, value);
    }

    @Override
    public String toString() {
        return "at " + position + " of " + rung.index();
    }
}
