// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.mlx4.Wqe.BindSeg;
import io.github.rdma4j.internal.mlx4.Wqe.CtrlSeg;
import io.github.rdma4j.internal.mlx4.Wqe.DatagramSeg;
import io.github.rdma4j.internal.mlx4.Wqe.LocalInvalSeg;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import io.github.rdma4j.providers.card.SendElement.Memory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one work request of ConnectX-3. */
final class Mlx4Elements extends ConnectxElements {
    private static final int OWNER = 1 << 31;
    private static final int PIECE = WqeCodes.MLX4_INLINE_ALIGN;
    private static final int UNITS_MASK = 0x3f;
    private static final int KNOWN_FLAGS =
            WqeCodes.MLX4_WQE_CTRL_CQ_UPDATE | WqeCodes.MLX4_WQE_CTRL_SOLICIT | WqeCodes.MLX4_WQE_CTRL_STRONG_ORDER;
    private static final int INVALID = -1;
    private static final int SRQN_SHIFT = 8;
    private static final Map<Integer, Operation> OTHERS = Map.of(
            Codes.OPCODE_SEND_INVAL, Operation.SEND_INV,
            WqeCodes.MLX4_OPCODE_BIND_MW, Operation.BIND,
            WqeCodes.MLX4_OPCODE_LOCAL_INVAL, Operation.INVALIDATE);

    private final Mlx4Rings rings;

    Mlx4Elements(QpSpec spec, Mlx4Rings rings, Complaints complaints) {
        super(spec, complaints);
        this.rings = rings;
    }

    private int first(int counter) {
        return rings.ring().getAcquire(rings.sends().of(counter));
    }

    /** Whether the process has given the element to the device in this lap. */
    boolean isOwned(int counter) {
        return first(counter) < 0 == ((counter & rings.sends().count()) != 0);
    }

    int opcode(int counter) {
        return first(counter) & 0x1f;
    }

    SendElement read(int counter) throws CardFault {
        int at = rings.sends().of(counter);
        int size = rings.ring().getInt(at + CtrlSeg.BF_QPN);
        int units = size & UNITS_MASK;
        require((size & ~(UNITS_MASK | WqeCodes.MLX4_WQE_CTRL_FENCE)) == 0, "the size 0x%x", counter, size);
        boolean fits = units > 0 && units * Segment.BYTES <= 1 << rings.sends().shift();
        require(fits, "a size of %d", counter, units);
        ByteBuffer element = ByteBuffer.allocate(units * Segment.BYTES);
        element(element);
        for (int i = 0; i < element.capacity(); i++) {
            element.put(i, rings.ring().bytes().get(at + i));
        }
        for (int piece = PIECE; piece < element.capacity(); piece += PIECE) {
            require(element.getInt(piece) != INVALID, "a piece that is not written at %d", counter, piece);
        }
        int code = element.getInt(CtrlSeg.OWNER_OPCODE) & ~OWNER;
        Operation operation = taken(OTHERS, counter, code);
        element.position(CtrlSeg.BYTES);
        return segments(counter, operation, code);
    }

    private SendElement segments(int counter, Operation operation, int code) throws CardFault {
        ByteBuffer element = element();
        int control = element.getInt(CtrlSeg.SRCRB_FLAGS);
        boolean xrc = spec().type() == QpSpec.XRC_INI;
        int known = KNOWN_FLAGS | (xrc ? -1 << SRQN_SHIFT : 0);
        require((control & ~known) == 0, "the flags 0x%x", counter, control);
        if (operation.isLocal()) {
            boolean ordered = (control & WqeCodes.MLX4_WQE_CTRL_STRONG_ORDER) != 0;
            require(ordered && element.remaining() == BindSeg.BYTES, "the flags 0x%x", counter, control);
            return window(counter, operation, code, flags(control));
        }
        @Nullable Destination address = spec().type() == QpSpec.UD ? destination(counter) : null;
        Segment start = remoteStart(counter, operation);
        long operand = operation.isAtomic() ? element.getLong() : 0;
        long compare = operation.isAtomic() ? element.getLong() : 0;
        boolean isInline = element.hasRemaining() && isInline(element.getInt(element.position()));
        @Nullable ByteBuffer inline = isInline ? inline(counter) : null;
        List<Segment> pieces = isInline ? List.of() : pieces(counter);
        int length = (int) Math.min(Card.MAX_MESSAGE, Segment.total(pieces) + (inline == null ? 0 : inline.limit()));
        require(!operation.isAtomic() || length == Long.BYTES, "%d bytes", counter, length);
        require(!isInline || !operation.isAnswered(), "inline data with opcode 0x%x", counter, code);
        Memory memory = new Memory(new Segment(length, start.key(), start.address()), operand, compare, pieces, inline);
        int immediate = element.getInt(CtrlSeg.IMM);
        int srqn = xrc ? control >>> SRQN_SHIFT : 0;
        int flags = flags(control);
        return new SendElement(counter & 0xffff, operation, code, 1, flags, immediate, srqn, address, memory);
    }

    /** An operation on a window; see {@link Requester}. */
    private SendElement window(int counter, Operation operation, int code, int flags) {
        ByteBuffer segment = element().slice(element().position(), BindSeg.BYTES);
        boolean binds = operation == Operation.BIND;
        int rights = segment.getInt(BindSeg.FLAGS1);
        int access = ((rights & WqeCodes.MLX4_WQE_MW_REMOTE_READ) != 0 ? MemoryKey.REMOTE_READ : 0)
                | ((rights & WqeCodes.MLX4_WQE_MW_REMOTE_WRITE) != 0 ? MemoryKey.REMOTE_WRITE : 0)
                | ((rights & WqeCodes.MLX4_WQE_MW_ATOMIC) != 0 ? MemoryKey.REMOTE_ATOMIC : 0);
        int key = segment.getInt(binds ? BindSeg.NEW_RKEY : LocalInvalSeg.MEM_KEY);
        long region = (long) segment.getInt(BindSeg.LKEY) << Integer.SIZE | access;
        Segment window = new Segment(0, key, binds ? segment.getLong(BindSeg.ADDR) : 0);
        long length = binds ? segment.getLong(BindSeg.LENGTH) : 0;
        Memory memory = new Memory(window, length, binds ? region : 0, List.of(), null);
        int kind = binds ? segment.getInt(BindSeg.FLAGS2) : 0;
        return new SendElement(counter & 0xffff, operation, code, 1, flags, kind, 0, null, memory);
    }

    private int flags(int control) {
        boolean fence = (element().getInt(CtrlSeg.BF_QPN) & WqeCodes.MLX4_WQE_CTRL_FENCE) != 0;
        return (fence ? SendElement.FENCE : 0)
                | ((control & WqeCodes.MLX4_WQE_CTRL_CQ_UPDATE) != 0 ? SendElement.SIGNALED : 0)
                | ((control & WqeCodes.MLX4_WQE_CTRL_SOLICIT) != 0 ? SendElement.SOLICITED : 0);
    }

    private Destination destination(int counter) throws CardFault {
        return Mlx4AddressVector.read(next(DatagramSeg.BYTES, counter), spec(), complaints());
    }

    /** A first segment of no bytes is a piece without bytes: it is inline data by its mark. */
    private static boolean isInline(int byteCount) {
        return byteCount < 0 && byteCount != WqeCodes.MLX4_INLINE_SEG;
    }

    /** Inline data: a segment in each piece of 64 bytes. */
    private ByteBuffer inline(int counter) throws CardFault {
        ByteBuffer element = element();
        ByteBuffer data = ByteBuffer.allocate(element.remaining());
        while (element.hasRemaining()) {
            int head = element.position();
            int length = element.getInt() & ~WqeCodes.MLX4_INLINE_SEG;
            int room = Math.min(PIECE - head % PIECE, element.capacity() - head) - Integer.BYTES;
            require(element.getInt(head) < 0 && length > 0 && length <= room, "inline data of %d", counter, length);
            data.put(element.slice(element.position(), length));
            element.position(head + Integer.BYTES + length);
            if (element.position() % PIECE != 0) {
                require(
                        element.remaining() < Segment.BYTES,
                        "%d bytes behind inline data",
                        counter,
                        element.remaining());
                element.position(element.limit());
            }
        }
        return data.flip().slice();
    }

    private List<Segment> pieces(int counter) throws CardFault {
        ByteBuffer element = element();
        List<Segment> pieces = new ArrayList<>();
        while (element.hasRemaining()) {
            Segment piece = new Segment(element.getInt(), element.getInt(), element.getLong());
            boolean empty = piece.length() == WqeCodes.MLX4_INLINE_SEG;
            require(empty || piece.length() > 0, "a piece of length %d", counter, piece.length());
            if (!empty) {
                pieces.add(piece);
            }
        }
        return pieces;
    }
}
