// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A posted receive.
 *
 * @param counter what the completion names it by: the receive counter, or the entry of a shared queue
 * @param pieces where the message goes
 */
record ReceiveElement(int counter, List<Segment> pieces) {
    private static final int KEY = 4;
    private static final int ADDRESS = 8;

    /** Reads up to {@code room} pieces at {@code at}. */
    static ReceiveElement read(ByteBuffer ring, int at, int room, int counter, Complaints complaints) {
        List<Segment> pieces = new ArrayList<>();
        for (int i = 0; i < room; i++) {
            int base = at + i * Segment.BYTES;
            Segment piece = new Segment(ring.getInt(base), ring.getInt(base + KEY), ring.getLong(base + ADDRESS));
            if (piece.length() == 0 && piece.key() == Segment.INVALID_KEY) {
                break;
            }
            if (piece.length() <= 0) {
                complaints.add(String.format(
                        "receive %d has a piece of length %d, which means 2 GiB", counter, piece.length()));
                break;
            }
            pieces.add(piece);
        }
        return new ReceiveElement(counter, pieces);
    }
}
