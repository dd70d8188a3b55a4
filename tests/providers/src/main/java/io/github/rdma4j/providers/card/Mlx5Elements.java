// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.MemoryKey.Segment;
import io.github.rdma4j.providers.card.SendElement.Memory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one work request, across the ring's end if need be. */
final class Mlx5Elements extends ConnectxElements {
    /** Bytes of a block. */
    static final int BLOCK = 64;

    private static final int OCTOWORDS_PER_BLOCK = BLOCK / Segment.BYTES;
    private static final int MAX_OCTOWORDS = 63;
    private static final int ADDRESS_VECTOR_BYTES = 48;
    private static final int INLINE = 0x8000_0000;
    private static final int KNOWN_FLAGS = SendElement.FENCE | SendElement.SIGNALED | SendElement.SOLICITED;
    private static final int IMMEDIATE = 12;
    private static final int FLAGS = 11;
    private static final int QPN_AND_SIZE = 4;
    private static final int SIGNATURE = 8;
    private static final int U8 = 0xff;

    private final Mlx5Rings rings;

    Mlx5Elements(QpSpec spec, Mlx5Rings rings, Complaints complaints) {
        super(spec, complaints);
        this.rings = rings;
    }

    /** The eight bytes that the doorbell of the work request at block {@code counter} must have. */
    long firstEightBytes(int counter) {
        return rings.ring().bytes().getLong(at(counter, 0));
    }

    int opcode(int counter) {
        return rings.ring().getInt(at(counter, 0)) & U8;
    }

    /** 16-byte units of the work request at block {@code counter}, as it says. */
    int octowords(int counter) {
        return rings.ring().getInt(at(counter, 0) + QPN_AND_SIZE) & U8;
    }

    /** Blocks of that many 16-byte units. */
    static int blocks(int octowords) {
        return (octowords + OCTOWORDS_PER_BLOCK - 1) / OCTOWORDS_PER_BLOCK;
    }

    private int at(int counter, int octoword) {
        int ringBytes = rings.sendBlocks() * BLOCK;
        return rings.sendRingAt() + (counter * BLOCK + octoword * Segment.BYTES) % ringBytes;
    }

    SendElement read(int counter) throws CardFault {
        int octowords = octowords(counter);
        require(octowords > 0 && octowords <= MAX_OCTOWORDS, "a size of %d", counter, octowords);
        ByteBuffer element = ByteBuffer.allocate(octowords * Segment.BYTES);
        element(element);
        byte[] one = new byte[Segment.BYTES];
        for (int i = 0; i < octowords; i++) {
            rings.ring().bytes().get(at(counter, i), one);
            element.put(one);
        }
        element.flip();
        int first = element.getInt();
        int opcode = first & U8;
        require(first >>> 8 == counter, "the index %d", counter, first >>> 8);
        require(element.getInt() >>> 8 == spec().qpn(), "the queue pair 0x%x", counter, element.getInt(4) >>> 8);
        Operation operation = taken(Map.of(), counter, opcode);
        int flags = element.get(FLAGS) & U8;
        require((flags & ~KNOWN_FLAGS) == 0, "the flags 0x%x", counter, flags);
        int reserved = element.getInt(SIGNATURE) >>> 8;
        require(reserved == 0, "0x%x where zeros must be", counter, reserved);
        element.position(Segment.BYTES);
        return segments(counter, operation, opcode, flags);
    }

    private SendElement segments(int counter, Operation operation, int opcode, int flags) throws CardFault {
        ByteBuffer element = element();
        int immediate = element.getInt(IMMEDIATE);
        @Nullable Destination address = spec().type() == QpSpec.UD ? destination(counter) : null;
        int srqn = spec().type() == QpSpec.XRC_INI ? sharedQueue(counter) : 0;
        Segment start = remoteStart(counter, operation);
        long operand = 0;
        long compare = 0;
        if (operation.isAtomic()) {
            ByteBuffer numbers = next(Segment.BYTES, counter);
            operand = numbers.getLong();
            compare = numbers.getLong();
        }
        boolean isInline = element.hasRemaining() && (element.getInt(element.position()) & INLINE) != 0;
        @Nullable ByteBuffer inline = isInline ? inline(counter, operation, opcode) : null;
        List<Segment> pieces = isInline ? List.of() : pieces(counter);
        int length = (int) Math.min(Card.MAX_MESSAGE, Segment.total(pieces) + (inline == null ? 0 : inline.capacity()));
        require(!operation.isAtomic() || (length == Long.BYTES && pieces.size() == 1), "%d bytes", counter, length);
        int octowords = element.limit() / Segment.BYTES;
        Segment remote = new Segment(length, start.key(), start.address());
        Memory memory = new Memory(remote, operand, compare, pieces, inline);
        int blocks = blocks(octowords);
        return new SendElement(counter, operation, opcode, blocks, flags, immediate, srqn, address, memory);
    }

    private Destination destination(int counter) throws CardFault {
        return Mlx5AddressVector.read(next(ADDRESS_VECTOR_BYTES, counter), spec().qpn(), complaints());
    }

    /** The number of the peer's shared receive queue, in a segment of its own. */
    private int sharedQueue(int counter) throws CardFault {
        ByteBuffer segment = next(Segment.BYTES, counter);
        int srqn = segment.getInt(0);
        boolean zeros = segment.getInt(4) == 0 && segment.getLong(8) == 0;
        require(zeros && srqn >>> 24 == 0, "the shared receive queue 0x%x, or bytes behind it", counter, srqn);
        return srqn;
    }

    private ByteBuffer inline(int counter, Operation operation, int opcode) throws CardFault {
        ByteBuffer element = element();
        int length = element.getInt() & ~INLINE;
        require(!operation.isAnswered(), "inline data with opcode 0x%x", counter, opcode);
        int padded = (Integer.BYTES + length + Segment.BYTES - 1) / Segment.BYTES * Segment.BYTES - Integer.BYTES;
        require(length > 0 && padded == element.remaining(), "inline data of %d bytes", counter, length);
        return element.slice(element.position(), length);
    }

    private List<Segment> pieces(int counter) throws CardFault {
        ByteBuffer element = element();
        List<Segment> pieces = new ArrayList<>();
        while (element.hasRemaining()) {
            Segment piece = new Segment(element.getInt(), element.getInt(), element.getLong());
            require(piece.length() > 0, "a piece of length %d", counter, piece.length());
            pieces.add(piece);
        }
        return pieces;
    }
}
