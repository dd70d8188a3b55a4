// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.Elements.Header;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/** The words of receive elements, which all have the same size. */
final class ReceiveElements {
    private final LongBuffer words;
    private final int shift;
    private final int maxSge;
    private final int generation;

    /** The valid bit of this lap. */
    private long valid;

    /** Creates elements of {@code 1 << shift} quanta in {@code memory}. */
    ReceiveElements(ByteBuffer memory, int shift, int maxSge, int generation) {
        this.words = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        this.shift = shift;
        this.maxSge = maxSge;
        this.generation = generation;
    }

    int shift() {
        return shift;
    }

    int maxSge() {
        return maxSge;
    }

    /**
     * Writes an element without its valid bit; returns the header with the valid bit.
     *
     * @param name the name in the completion; 0 if the completion has the element's place
     */
    long put(int entry, ReceiveView request, long name) {
        int pieces = request.numSge();
        ReceiveRing.requireRoom(pieces, maxSge);
        if (entry == 0) {
            valid ^= Elements.VALID;
        }
        int at = at(entry);
        putPieces(request, pieces, at);
        words.put(at + 2, name);
        return (long) Pieces.more(generation, pieces) << Header.MORE_SHIFT | valid;
    }

    private int at(int entry) {
        return entry << shift << Elements.QUANTUM_WORDS_SHIFT;
    }

    private void putPieces(ReceiveView request, int pieces, int at) {
        boolean first = generation == 1;
        if (pieces == 0) {
            words.put(at, 0);
            words.put(at + 1, first ? 0 : valid);
            return;
        }
        int to = at;
        for (int i = 0; i < pieces; i++) {
            words.put(to, request.iova(i));
            words.put(to + 1, Pieces.word(first, valid, request.length(i), request.lkey(i)));
            to += i == 0 ? Elements.QUANTUM_WORDS : Elements.PIECE_WORDS;
        }
        if (!first && (pieces & 1) == 0) {
            words.put(to, 0);
            words.put(to + 1, valid);
        }
    }

    /** Lets the device take the receive, by the valid bit of {@code header}. */
    void makeValid(int entry, long header) {
        VarHandle.releaseFence();
        words.put(at(entry) + Header.WORD, header);
    }
}
