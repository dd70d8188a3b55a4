// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Header;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The quanta of a send or a receive, as the device has read them. */
final class IrdmaElement {
    private static final int INLINE_OF_QUANTUM = 31;

    private final ByteBuffer bytes;
    private final long header;
    private final boolean firstGeneration;

    private IrdmaElement(ByteBuffer bytes, boolean firstGeneration) {
        this.bytes = bytes;
        this.header = bytes.getLong(Header.WORD * Long.BYTES);
        this.firstGeneration = firstGeneration;
    }

    /** Reads {@code quanta} from the byte {@code at} of a ring. */
    static IrdmaElement read(Pinned ring, int at, int quanta, boolean firstGeneration) {
        byte[] bytes = new byte[quanta * Elements.QUANTUM];
        ring.bytes().get(at, bytes);
        return new IrdmaElement(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), firstGeneration);
    }

    /** The header of the element in the byte {@code at} of a ring. */
    static long header(Pinned ring, int at) {
        return Long.reverseBytes(ring.getLongAcquire(at + Header.WORD * Long.BYTES));
    }

    /** The quanta of an element with {@code header}. */
    static int quanta(long header, boolean firstGeneration) {
        if ((header & Header.INLINE) == 0) {
            return ((int) (header >>> Header.MORE_SHIFT & Header.MORE_MASK) + 1) / 2 + 1;
        }
        int length = (int) (header >>> Header.INLINE_SHIFT) & Header.INLINE_MASK;
        return firstGeneration
                ? length <= 16 ? 1 : 2
                : length <= 8 ? 1 : 1 + (length - 8 + INLINE_OF_QUANTUM - 1) / INLINE_OF_QUANTUM;
    }

    long word(int index) {
        return bytes.getLong(index * Long.BYTES);
    }

    /** Whether all that has a bit of the lap has the bit of the header. */
    boolean isWhole(boolean immediate) {
        boolean whole = true;
        boolean inline = (header & Header.INLINE) != 0;
        for (int word = Elements.QUANTUM_WORDS - 1; word * Long.BYTES < bytes.capacity(); word += 4) {
            whole &= (word(word) ^ header) >= 0;
        }
        for (int word = immediate ? 5 : 1; !inline && word * Long.BYTES < bytes.capacity(); word += 2) {
            whole &= word == Header.WORD || (word(word) ^ header) >= 0;
        }
        return firstGeneration || whole;
    }

    /** The pieces, without empty ones; behind immediate data the first is in the second quantum. */
    List<Segment> pieces(boolean immediate) {
        int count = (int) (header >>> Header.MORE_SHIFT & Header.MORE_MASK) + 1;
        List<Segment> pieces = new ArrayList<>();
        for (int i = immediate ? 1 : 0; i < count; i++) {
            int at = i == 0 ? 0 : (i + 1) * Elements.PIECE_WORDS;
            long second = word(at + 1);
            int high = (int) (second >>> Integer.SIZE);
            int length = firstGeneration ? (int) second : high & Integer.MAX_VALUE;
            if (length != 0) {
                pieces.add(new Segment(length, firstGeneration ? high : (int) second, word(at)));
            }
        }
        return pieces;
    }

    /** The inline data. */
    ByteBuffer inline() {
        int length = (int) (header >>> Header.INLINE_SHIFT) & Header.INLINE_MASK;
        ByteBuffer data = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            data.put(i, bytes.get(firstGeneration ? placeOfGeneration1(i) : place(i)));
        }
        return data;
    }

    private static int place(int index) {
        int behind = index - 8;
        return behind < 0
                ? 8 + index
                : Elements.QUANTUM * (1 + behind / INLINE_OF_QUANTUM) + behind % INLINE_OF_QUANTUM;
    }

    private static int placeOfGeneration1(int index) {
        return index < 16 ? index : index + 16;
    }
}
