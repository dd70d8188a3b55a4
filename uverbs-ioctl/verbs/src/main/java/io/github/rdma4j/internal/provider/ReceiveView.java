// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/** What a {@link ReceiveRing} reads of a receive work request ({@code struct ibv_recv_wr}). */
public interface ReceiveView {
    /** The number that comes back in the completion. */
    long wrId();

    /** The number of scatter-gather entries ({@code num_sge}). */
    int numSge();

    /** Bytes of all scatter-gather entries together. */
    long totalLength();

    /** The I/O virtual address of scatter-gather entry {@code index}. */
    long iova(int index);

    /** The bytes of scatter-gather entry {@code index}. */
    int length(int index);

    /** The local key of scatter-gather entry {@code index}. */
    int lkey(int index);
}
