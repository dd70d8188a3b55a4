// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.connectx.Segments.DataSeg;
import io.github.rdma4j.internal.mlx4.Wqe.InlineSeg;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.CountedSendRing;
import io.github.rdma4j.internal.provider.RingMath;
import io.github.rdma4j.internal.provider.SendView;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * Writes the data of send work queue elements: segments that point to memory, or inline data.
 *
 * <p>The device reads ahead in pieces of 64 bytes, and treats a piece that begins with {@link #INVALID} as not written
 * yet. The first word of a piece is therefore written last. This word is always the length of a segment, because
 * segments begin and end at multiples of 16 bytes, and a segment of inline data ends with its piece.
 */
final class ElementData {
    /** The first word of an unwritten piece of 64 bytes. */
    static final int INVALID = 0xffffffff;

    private static final int PIECE = WqeCodes.MLX4_INLINE_ALIGN;
    private static final int WORD_SHIFT = 3;

    /** The encoding of the length 0 in a send segment; a length of 0 means 2 GiB. */
    private static final int NO_BYTES = 0x80000000;

    private final ByteBuffer ring;

    /** {@link #ring} as words, for aligned stores. */
    private final LongBuffer words;

    private final int maxSge;
    private final int maxInline;

    /**
     * The data of the elements of a ring.
     *
     * @param ring the memory of the ring, big endian
     * @param sizes the sizes of the ring
     */
    ElementData(ByteBuffer ring, Mlx4Sizes.SendSizes sizes) {
        assert ring.order() == ByteOrder.BIG_ENDIAN;
        this.ring = ring;
        this.words = ring.asLongBuffer();
        this.maxSge = sizes.maxSge();
        this.maxInline = sizes.maxInline();
    }

    /** Writes the data of {@code request} at {@code at}; returns the end of the data. */
    int put(SendView request, int at) {
        ByteBuffer inline = request.inlineData();
        return inline != null ? putInline(inline, at) : putPieces(request, at, maxSge);
    }

    /** Writes the data of {@code request}, which is not inline and has at most {@code most} pieces. */
    int putPieces(SendView request, int at, int most) {
        int pieces = request.numSge();
        CountedSendRing.requireRoom(pieces, most);
        if (pieces == 1) {
            putPiece(request, 0, at); // avoids the cost of a loop
            return at + DataSeg.BYTES;
        }
        for (int i = pieces - 1; i >= 0; i--) {
            putPiece(request, i, at + i * DataSeg.BYTES);
        }
        return at + pieces * DataSeg.BYTES;
    }

    private void putPiece(SendView request, int index, int at) {
        int length = request.length(index);
        putWord(at + DataSeg.ADDR, request.iova(index));
        VarHandle.releaseFence();
        putWord(at + DataSeg.BYTE_COUNT, Words.bigEndianPair(length == 0 ? NO_BYTES : length, request.lkey(index)));
    }

    /** Writes eight bytes at a multiple of eight. */
    private void putWord(int at, long value) {
        words.put(at >>> WORD_SHIFT, value); // HotSpot learns from the shift that the index is not negative
    }

    private int putInline(ByteBuffer inline, int at) {
        int left = inline.remaining();
        CountedSendRing.requireRoom(left, maxInline);
        int from = inline.position();
        int head = at;
        while (left > 0) {
            int bytes = Math.min(left, PIECE - (head & (PIECE - 1)) - InlineSeg.BYTES);
            ring.put(head + InlineSeg.BYTES, inline, from, bytes);
            VarHandle.releaseFence();
            ring.putInt(head, WqeCodes.MLX4_INLINE_SEG | bytes);
            from += bytes;
            left -= bytes;
            head += InlineSeg.BYTES + bytes;
        }
        return RingMath.toMultiple(head, DataSeg.BYTES);
    }

    /** Marks the pieces of the element at {@code at} as unwritten, except for the first, which the owner bit marks. */
    void stamp(int at, int bytes) {
        for (int piece = PIECE; piece < bytes; piece += PIECE) {
            ring.putInt(at + piece, INVALID);
        }
    }
}
