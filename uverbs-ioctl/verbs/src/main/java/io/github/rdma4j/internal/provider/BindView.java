// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/** What a {@link SendRing} reads of the binding of a memory window ({@code struct ibv_mw_bind_info}). */
public interface BindView {
    /** The remote key that the window has. */
    int windowKey();

    /** The remote key that the window gets: the same but for the lowest eight bits. */
    int newKey();

    /** The local key of the memory region. */
    int regionKey();

    /** The I/O virtual address of the first byte of the window. */
    long boundIova();

    /** The bytes of the window; 0 takes the binding of a window of type 1 back. */
    long boundLength();

    /** The rights of the peer, {@code IB_UVERBS_ACCESS_*}. */
    int boundAccess();

    /** True for a window of type 2, false for one of type 1. */
    boolean isOfType2();
}
