// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

/**
 * Where an incoming message is to go ({@code struct ibv_recv_wr}). Reusable and allocation-free once made: set it up,
 * post it, {@link #clear()} it for the next; posting copies it. Pieces of memory add up until {@link #clear()} forgets
 * them. One thread uses it at a time.
 */
public final class ReceiveWorkRequest {
    private final ScatterGatherList pieces;
    private long wrId;

    /** A request with room for {@code maxPieces} pieces of memory. */
    public ReceiveWorkRequest(int maxPieces) {
        pieces = new ScatterGatherList(maxPieces);
    }

    /** The number that comes back in the completion. */
    public ReceiveWorkRequest wrId(long wrId) {
        this.wrId = wrId;
        return this;
    }

    /**
     * Adds {@code length} bytes at {@code offset} of {@code region}, which must allow local writes.
     *
     * @throws IllegalStateException when the request has as many pieces as it has room for; {@link #clear()} makes room
     */
    public ReceiveWorkRequest add(MemoryRegion region, long offset, int length) {
        pieces.add(region, offset, length);
        return this;
    }

    /** Forgets the pieces of memory. */
    public ReceiveWorkRequest clear() {
        pieces.clear();
        return this;
    }

    public long wrId() {
        return wrId;
    }

    /** How many pieces of memory there are. */
    public int size() {
        return pieces.size();
    }

    /** Bytes of all pieces together. */
    public long totalLength() {
        return pieces.total();
    }

    /** For providers: the I/O virtual address of piece {@code index}. */
    public long iova(int index) {
        return pieces.address(index);
    }

    /** For providers: the bytes of piece {@code index}. */
    public int length(int index) {
        return pieces.length(index);
    }

    /** For providers: the local key of piece {@code index}. */
    public int lkey(int index) {
        return pieces.lkey(index);
    }

    void ensureUsable() {
        pieces.ensureUsable();
    }
}
