// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.ReceiveRing.ReceiveView;

/**
 * A receive work request: the memory for an incoming message ({@code struct ibv_recv_wr}). Reusable without allocation:
 * set it up, post it, and {@link #clear()} it for the next message. Posting copies the request. Scatter-gather entries
 * accumulate until {@link #clear()} removes them. Only one thread may use a request at a time.
 */
public final class ReceiveWorkRequest {
    private final State state;

    /** Creates a request with room for {@code maxSge} scatter-gather entries, 0 or more. */
    public ReceiveWorkRequest(int maxSge) {
        state = new State(maxSge);
    }

    /** Sets the work request id, which the completion returns. */
    public ReceiveWorkRequest wrId(long wrId) {
        state.wrId = wrId;
        return this;
    }

    /**
     * Adds {@code length} bytes at {@code offset} of {@code region}, which must allow local writes.
     *
     * @throws IllegalStateException if the request has no room for another scatter-gather entry; {@link #clear()} makes
     *     room
     * @throws IndexOutOfBoundsException if the bytes are outside the region
     */
    public ReceiveWorkRequest add(MemoryRegion region, long offset, int length) {
        state.pieces.add(region, offset, length);
        return this;
    }

    /** Removes all scatter-gather entries. */
    public ReceiveWorkRequest clear() {
        state.pieces.clear();
        return this;
    }

    /** Returns the work request id that was set. */
    public long wrId() {
        return state.wrId;
    }

    /** Returns the number of scatter-gather entries. */
    public int size() {
        return state.pieces.size();
    }

    /** Returns the length of all scatter-gather entries together, in bytes. */
    public long totalLength() {
        return state.pieces.total();
    }

    ScatterGatherList pieces() {
        return state.pieces;
    }

    /** Returns the view that a receive ring reads. */
    ReceiveView view() {
        return state;
    }

    void ensureUsable() {
        state.pieces.ensureUsable();
    }

    /** The values that were set, as the ring reads them. */
    private static final class State implements ReceiveView {
        private final ScatterGatherList pieces;
        private long wrId;

        State(int maxSge) {
            pieces = new ScatterGatherList(maxSge);
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
