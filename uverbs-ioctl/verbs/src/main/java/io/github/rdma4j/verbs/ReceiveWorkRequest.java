// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;

/**
 * Where an incoming message is to go ({@code struct ibv_recv_wr}). Reusable and allocation-free once made: set it up,
 * post it, {@link #clear()} it for the next; posting copies it. Pieces of memory add up until {@link #clear()} forgets
 * them. One thread uses it at a time.
 */
public final class ReceiveWorkRequest {
    private final State state;

    /** A request with room for {@code maxPieces} pieces of memory. */
    public ReceiveWorkRequest(int maxPieces) {
        state = new State(maxPieces);
    }

    /** The number that comes back in the completion. */
    public ReceiveWorkRequest wrId(long wrId) {
        state.wrId = wrId;
        return this;
    }

    /**
     * Adds {@code length} bytes at {@code offset} of {@code region}, which must allow local writes.
     *
     * @throws IllegalStateException when the request has as many pieces as it has room for; {@link #clear()} makes room
     */
    public ReceiveWorkRequest add(MemoryRegion region, long offset, int length) {
        state.pieces.add(region, offset, length);
        return this;
    }

    /** Forgets the pieces of memory. */
    public ReceiveWorkRequest clear() {
        state.pieces.clear();
        return this;
    }

    public long wrId() {
        return state.wrId;
    }

    /** How many pieces of memory there are. */
    public int size() {
        return state.pieces.size();
    }

    /** Bytes of all pieces together. */
    public long totalLength() {
        return state.pieces.total();
    }

    ScatterGatherList pieces() {
        return state.pieces;
    }

    /** What a receive ring reads. */
    ReceiveView view() {
        return state;
    }

    void ensureUsable() {
        state.pieces.ensureUsable();
    }

    /** What was set, as the ring reads it. */
    private static final class State implements ReceiveView {
        private final ScatterGatherList pieces;
        private long wrId;

        State(int maxPieces) {
            pieces = new ScatterGatherList(maxPieces);
        }

        @Override
        public long wrId() {
            return wrId;
        }

        @Override
        public int numSge() {
            return pieces.size();
        }

        @Override
        public long totalLength() {
            return pieces.total();
        }

        @Override
        public long iova(int index) {
            return pieces.address(index);
        }

        @Override
        public int length(int index) {
            return pieces.length(index);
        }

        @Override
        public int lkey(int index) {
            return pieces.lkey(index);
        }
    }
}
