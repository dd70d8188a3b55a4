// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.bnxt.Elements.Header;
import io.github.rdma4j.internal.bnxt.Elements.Operations;
import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;
import java.nio.LongBuffer;

/** Writes the words of a receive, for a queue pair's own receive queue or a shared receive queue. */
final class ReceiveElements {
    /** The word index of the first piece. */
    static final int PIECES_AT = Elements.HEADER_SLOTS << Elements.SLOT_WORDS_SHIFT;

    private ReceiveElements() {}

    static void put(LongBuffer words, int at, ReceiveView request, int pieces) {
        int to = at + PIECES_AT;
        for (int i = 0; i < pieces; i++) {
            words.put(to, request.iova(i));
            words.put(to + 1, (long) request.length(i) << Integer.SIZE | Integer.toUnsignedLong(request.lkey(i)));
            to += 2;
        }
    }

    /** Writes the header; completions of a shared receive queue repeat {@code tag}. */
    static void putHeader(LongBuffer words, int at, int pieces, int tag) {
        words.put(at, Operations.RECEIVE | (long) (Elements.HEADER_SLOTS + pieces) << Header.SLOTS_SHIFT);
        words.put(at + 1, tag);
    }
}
