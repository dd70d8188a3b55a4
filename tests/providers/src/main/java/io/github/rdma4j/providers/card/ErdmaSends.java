// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.erdma.Elements;
import io.github.rdma4j.internal.erdma.Elements.Operations;
import io.github.rdma4j.internal.erdma.Elements.SendHeader;
import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import io.github.rdma4j.providers.card.SendElement.Memory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The send ring of a queue pair of erdma, whose blocks have 32 bytes. Whatever does not fit the queue pair, the place or the format
 * fails the request with {@link Syndrome#LOCAL_QP_OP_ERR}, and is complained about.
 */
final class ErdmaSends extends RungSends implements ErdmaPages.Rung {
    private static final long RESERVED = 1L << 55 | 1L << 26 | 0x3f_0000;
    private static final Map<Integer, Operation> OPERATIONS = Map.of(
            Operations.SEND, Operation.SEND,
            Operations.SEND_WITH_IMM, Operation.SEND_IMM,
            Operations.SEND_WITH_INV, Operation.SEND_INV,
            Operations.WRITE, Operation.WRITE,
            Operations.WRITE_WITH_IMM, Operation.WRITE_IMM,
            Operations.READ, Operation.READ,
            Operations.ATOMIC_CAS, Operation.COMPARE_AND_SWAP,
            Operations.ATOMIC_FAA, Operation.FETCH_AND_ADD);

    private final QpSpec spec;
    private final ErdmaRings rings;
    private final Complaints complaints;

    ErdmaSends(QpSpec spec, ErdmaRings rings, Complaints complaints) {
        super(spec.qpn(), rings.sendBlocks(), complaints);
        this.spec = spec;
        this.rings = rings;
        this.complaints = complaints;
    }

    @Override
    public ErdmaPages pages() {
        return rings.pages();
    }

    private int at(int block) {
        return (block & rings.sendBlocks() - 1) * Elements.BLOCK;
    }

    private long header() {
        return Long.reverseBytes(rings.ring().bytes().getLong(at(head())));
    }

    @Override
    public int code() {
        return (int) (header() >>> SendHeader.OPERATION_SHIFT) & SendHeader.OPERATION_MASK;
    }

    @Override
    public int units() {
        return (int) (header() >>> SendHeader.BLOCKS_SHIFT & SendHeader.BLOCKS_MASK) + 1;
    }

    // ---- reading

    @Override
    public SendElement read() throws CardFault {
        long header = header();
        int units = units();
        ByteBuffer element = ByteBuffer.allocate(units * Elements.BLOCK).order(ByteOrder.LITTLE_ENDIAN);
        byte[] block = new byte[Elements.BLOCK];
        for (int i = 0; i < units; i++) {
            rings.ring().bytes().get(at(head() + i), block);
            element.put(block);
        }
        element.flip();
        Operation operation = OPERATIONS.get(code());
        require(operation != null, "the operation %d", code());
        require((header & RESERVED) == 0, "reserved bits in its header, %d", (int) header);
        int qpn = (int) (header >>> SendHeader.QPN_SHIFT) & SendHeader.QPN_MASK;
        require(qpn == spec.qpn(), "the queue pair %d", qpn);
        int end = (int) header & SendHeader.INDEX_MASK;
        require(end == (head() + units & COUNTER_MASK), "its end at %d", end);
        require(units <= Elements.MOST_BLOCKS && units <= ahead(rung()), "a size of %d blocks", units);
        if (operation == null) {
            throw new CardFault(Syndrome.LOCAL_QP_OP_ERR);
        }
        return switch (operation) {
            case READ -> read(element, header);
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> atomic(element, header, operation);
            case WRITE, WRITE_IMM -> data(element, header, operation, Elements.BLOCK);
            default -> data(element, header, operation, Elements.PIECE);
        };
    }

    private static int flags(long header) {
        return ((header & SendHeader.SIGNALED) != 0 ? SendElement.SIGNALED : 0)
                | ((header & SendHeader.SOLICITED) != 0 ? SendElement.SOLICITED : 0)
                | ((header & SendHeader.FENCE) != 0 ? SendElement.FENCE : 0);
    }

    private SendElement read(ByteBuffer element, long header) throws CardFault {
        require(units() == 2 && header >>> SendHeader.PIECES_SHIFT == 0, "a size of %d blocks for a read", units());
        int length = element.getInt(12);
        long to = Integer.toUnsignedLong(element.getInt(20)) | (long) element.getInt(24) << Integer.SIZE;
        int again = element.getInt(Elements.BLOCK + 8);
        require(length >= 0 && length == again, "two lengths, one %d", again);
        List<Segment> pieces = length == 0 ? List.of() : List.of(new Segment(length, element.getInt(16), to));
        Segment remote = new Segment(length, element.getInt(Elements.BLOCK + 12), element.getLong(Elements.BLOCK));
        return element(Operation.READ, header, 0, new Memory(remote, pieces, null));
    }

    private SendElement atomic(ByteBuffer element, long header, Operation operation) throws CardFault {
        int length = element.getInt(Elements.BLOCK + 24);
        require(units() == 2 && length == Long.BYTES, "%d bytes for an atomic operation", length);
        Segment local = new Segment(length, element.getInt(Elements.BLOCK + 28), element.getLong(Elements.BLOCK + 16));
        Segment remote = new Segment(length, element.getInt(Elements.BLOCK + 12), element.getLong(Elements.BLOCK));
        return element(
                operation,
                header,
                0,
                new Memory(remote, element.getLong(16), element.getLong(24), List.of(local), null));
    }

    private SendElement data(ByteBuffer element, long header, Operation operation, int from) throws CardFault {
        boolean inline = (header & SendHeader.INLINE) != 0;
        int count = (int) (header >>> SendHeader.PIECES_SHIFT);
        int bytes = from + (inline ? count : count * Elements.PIECE);
        require(
                bytes <= element.capacity() && element.capacity() - bytes < Elements.BLOCK,
                "%d pieces or bytes",
                count);
        List<Segment> pieces = new ArrayList<>();
        for (int i = 0; !inline && i < count; i++) {
            int at = from + i * Elements.PIECE;
            Segment piece = new Segment(element.getInt(at + 8), element.getInt(at + 12), element.getLong(at));
            require(piece.length() >= 0, "a piece of %d bytes", piece.length());
            if (piece.length() > 0) {
                pieces.add(piece);
            }
        }
        int length = inline ? count : (int) Segment.total(pieces);
        require(length == element.getInt(12), "a length of %d", element.getInt(12));
        boolean write = from == Elements.BLOCK;
        long address = Integer.toUnsignedLong(element.getInt(20)) | (long) element.getInt(24) << Integer.SIZE;
        Segment remote = write ? new Segment(length, element.getInt(16), address) : new Segment(length, 0, 0);
        ByteBuffer data = inline ? element.slice(from, count) : null;
        return element(operation, header, Integer.reverseBytes(element.getInt(8)), new Memory(remote, pieces, data));
    }

    private SendElement element(Operation operation, long header, int immediate, Memory memory) {
        return new SendElement(head(), operation, code(), units(), flags(header), immediate, 0, null, memory);
    }

    private void require(boolean holds, String what, int value) throws CardFault {
        complaints.require(holds, spec.qpn(), head(), what, value);
    }

    // ---- doorbells

    @Override
    int recorded() {
        return (int) Long.reverseBytes(rings.record().getLongAcquire(0)) & COUNTER_MASK;
    }

    /** The doorbell announces the requests up to a block. */
    @Override
    public void ring(long doorbell) {
        int end = (int) doorbell & COUNTER_MASK;
        if (isDone(end)) {
            return;
        }
        if (isOutside(end)) {
            complain("rung up to " + end + ", at " + head() + " of " + rings.sendBlocks());
        } else {
            announce(end);
        }
    }
}
