// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The part of a send work request that a {@link SendRing} reads ({@code struct ibv_send_wr}). Another thread of the
 * program may change the request at the same time, against the rules; even then, a ring must not write beyond a slot.
 */
public interface SendView {
    /** The number that the completion repeats. */
    long wrId();

    /** The operation, {@code IB_UVERBS_WR_*}. */
    int opcode();

    /** {@code IBV_SEND_*}. */
    int flags();

    /** The immediate data, in the byte order of the machine. */
    int immediate();

    /** The remote key to invalidate: at the peer by a send, or here by a local invalidation. */
    default int invalidatedKey() {
        return 0;
    }

    /** The binding of a memory window, only for {@code IB_UVERBS_WR_BIND_MW}; always the same object. */
    default BindView binding() {
        throw new IllegalStateException("the request binds no memory window");
    }

    /** The placement types of a flush, {@code IB_UVERBS_FLUSH_*}. */
    default int flushTypes() {
        return 0;
    }

    /** The I/O virtual address at the peer, for RDMA and atomic operations. */
    long remoteIova();

    /** The remote key of the memory at {@link #remoteIova}. */
    int rkey();

    /** True for fetch-and-add and compare-and-swap. */
    boolean isAtomic();

    /** The operand of an atomic operation: the number to add, to expect, or to write. */
    long compareAdd();

    /** The number that a compare-and-swap stores. */
    long swap();

    /**
     * The destination of a datagram, created by the same context; null if the request is not a datagram. The ring of a
     * connected queue pair need not call this method: HotSpot does not inline a call whose result type is not loaded
     * yet.
     */
    @Nullable
    AddressVector address();

    /** The destination queue pair number of a datagram. */
    int remoteQpn();

    /** The Q_Key of a datagram. */
    int remoteQkey();

    /** The number of the peer's shared receive queue, 24 bits, for a request of XRC. */
    default int remoteSrqn() {
        return 0;
    }

    /** The inline data, from position to limit; null when the request sends from memory regions. */
    @Nullable
    ByteBuffer inlineData();

    /** The number of scatter-gather entries ({@code num_sge}). */
    int numSge();

    /**
     * The total length of the scatter-gather entries, of the inline data, or of the peer's memory to flush, in bytes.
     */
    long totalLength();

    /** The I/O virtual address of scatter-gather entry {@code index}. */
    long iova(int index);

    /** The bytes of scatter-gather entry {@code index}. */
    int length(int index);

    /** The local key of scatter-gather entry {@code index}. */
    int lkey(int index);

    /** The binding of a memory window, as a {@link SendRing} reads it ({@code struct ibv_mw_bind_info}). */
    interface BindView {
        /** The current remote key of the window. */
        int windowKey();

        /** The new remote key of the window, which differs in the lowest eight bits only. */
        int newKey();

        /** The local key of the memory region. */
        int regionKey();

        /** The I/O virtual address of the first byte of the window. */
        long boundIova();

        /** The length of the window in bytes; 0 removes the binding of a type 1 window. */
        long boundLength();

        /** The peer's access rights, {@code IB_UVERBS_ACCESS_*}. */
        int boundAccess();

        /** True for a window of type 2, false for one of type 1. */
        boolean isOfType2();
    }

    /**
     * The destination of a datagram in the form that the driver's work requests need: created by {@link
     * DriverContext#addressHandle}, opaque to the verbs. Immutable. A {@link SendView} passes it to a {@link SendRing}
     * of the same context.
     */
    interface AddressVector {}
}
