// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The part of a send work request that a {@link SendRing} reads ({@code struct ibv_send_wr}). Another thread of the
 * program may break the rules and change the request at the same time; even then a ring must not write beyond a slot.
 */
public interface SendView {
    /** The number that comes back in the completion. */
    long wrId();

    /** The operation, {@code IB_UVERBS_WR_*}. */
    int opcode();

    /** {@code IBV_SEND_*}. */
    int flags();

    /** The immediate data, in the byte order of the machine. */
    int immediate();

    /** The remote key that a send invalidates at the peer, or the key that a local invalidation takes back. */
    default int invalidatedKey() {
        return 0;
    }

    /** The binding of a memory window, for {@code IB_UVERBS_WR_BIND_MW} only; always the same object. */
    default BindView binding() {
        throw new IllegalStateException("the request binds no memory window");
    }

    /** The guarantee of a flush, {@code IB_UVERBS_FLUSH_*} placement types. */
    default int flushTypes() {
        return 0;
    }

    /** The I/O virtual address at the peer, of an RDMA or atomic operation. */
    long remoteIova();

    /** The remote key that goes with {@link #remoteIova}. */
    int rkey();

    /** True for fetch-and-add and compare-and-swap. */
    boolean isAtomic();

    /**
     * The operand of an atomic operation: the number to add, the expected number, or the number that an atomic write
     * writes.
     */
    long compareAdd();

    /** The number that a compare-and-swap stores. */
    long swap();

    /**
     * The destination of a datagram, as the same context has made it; null for a request that is no datagram. The ring
     * of a connected queue pair need not call this method: HotSpot does not inline a call whose result type is not
     * loaded yet.
     */
    @Nullable
    AddressVector address();

    /** The queue pair number that a datagram is sent to. */
    int remoteQpn();

    /** The Q_Key that a datagram carries. */
    int remoteQkey();

    /** The number of the peer's shared receive queue that a request of XRC is for, 24 bits. */
    default int remoteSrqn() {
        return 0;
    }

    /** The inline data, from position to limit; null when the request sends from memory regions. */
    @Nullable
    ByteBuffer inlineData();

    /** The number of scatter-gather entries ({@code num_sge}). */
    int numSge();

    /**
     * The bytes of all scatter-gather entries, of the inline data, or of the peer's memory that a flush covers.
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

    /**
     * How a driver's work requests name the destination of a datagram: what {@link DriverContext#addressHandle} has
     * made, opaque to the verbs. Immutable. A {@link SendView} hands it to a {@link SendRing} of the same context.
     */
    interface AddressVector {}
}
