// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.uverbs.WorkRequests.SendFlags;
import io.github.rdma4j.internal.uverbs.WorkRequests.WorkRequestOpcodes;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.QueuePairType;
import io.github.rdma4j.verbs.attr.RemoteMemory;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A work request for a send queue ({@code struct ibv_send_wr}). Reusable without allocation: set it up, post it, and
 * {@link #clear()} it for the next operation. Posting copies the request, so it can be posted again unchanged, or with
 * only the operation, the destination or the number changed. Scatter-gather entries accumulate until {@link #clear()}
 * removes them. Only one thread may use a request at a time.
 *
 * <pre>{@code
 * SendWorkRequest ping = new SendWorkRequest(1).wrId(1).send().add(region, 0, 64).signaled();
 * qp.postSend(ping);
 * qp.postSend(ping.clear().wrId(2).add(region, 64, 64).signaled());
 * }</pre>
 */
public final class SendWorkRequest {
    /** The queue pair number that addresses all members of a multicast group. */
    public static final int MULTICAST_QPN = 0xff_ffff;

    private static final int MAX_SRQN = 0xff_ffff;

    private final SendState state;

    /** Creates a request with room for {@code maxSge} scatter-gather entries, 0 or more. */
    public SendWorkRequest(int maxSge) {
        state = new SendState(maxSge);
    }

    /** Sets the work request id, which the completion returns. */
    public SendWorkRequest wrId(long wrId) {
        state.wrId = wrId;
        return this;
    }

    /** Sends a message, which consumes one receive of the peer ({@code IBV_WR_SEND}). */
    public SendWorkRequest send() {
        state.changing().opcode = WorkRequestOpcodes.IB_UVERBS_WR_SEND;
        return this;
    }

    /** Sends a message with a number that the peer's completion shows ({@code IBV_WR_SEND_WITH_IMM}). */
    public SendWorkRequest sendWithImmediate(int number) {
        state.changing().opcode = WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM;
        state.immediate = number;
        return this;
    }

    /**
     * Sends a message that also invalidates a memory window of the peer ({@code IBV_WR_SEND_WITH_INV}). The completion
     * of the peer's receive contains the key.
     *
     * @param rkey the remote key of a type 2 window that the peer has bound to its queue pair of this connection
     */
    public SendWorkRequest sendWithInvalidate(int rkey) {
        state.changing().opcode = WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV;
        state.rkey = rkey;
        return this;
    }

    /**
     * Ends the binding of {@code window} ({@code IBV_WR_LOCAL_INV}). After the completion, the peer can no longer use
     * the window's key, and the window can be bound again. The request uses no local memory.
     *
     * @throws IllegalArgumentException if the window is of type 1
     */
    public SendWorkRequest localInvalidate(MemoryWindow window) {
        window.requireType(MemoryWindow.Type.TYPE_2, "invalidated: bind it to 0 bytes instead");
        state.changing().opcode = WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV;
        state.window = window;
        return this;
    }

    /**
     * Binds {@code window} to {@code length} bytes at {@code offset} of {@code region} ({@code IBV_WR_BIND_MW} and
     * {@code ibv_bind_mw(3)}). The peer may then access these bytes with the window's new key, as {@code access}
     * allows. {@link MemoryWindow#rkey()} returns that key after the request is posted; the peer may use it after the
     * completion. The request uses no local memory. Close the window if the bind fails.
     *
     * @param region a region with {@link Access#MW_BIND}, and with {@link Access#LOCAL_WRITE} if the peer may write
     * @param length 0 or more for a window of type 1, where 0 ends the binding; 1 or more for type 2
     * @param access the peer's rights among REMOTE_WRITE, REMOTE_READ and REMOTE_ATOMIC
     * @throws IllegalArgumentException if the bytes are not within the region, or {@code access} has another right
     */
    public SendWorkRequest bind(
            MemoryWindow window, MemoryRegion region, long offset, long length, Set<Access> access) {
        window.requireRange(region, offset, length);
        state.changing().opcode = WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW;
        state.window = window;
        state.bound = region;
        state.boundOffset = offset;
        state.boundLength = length;
        state.boundAccess = MemoryWindow.flags(access);
        return this;
    }

    /**
     * Flushes earlier RDMA writes to the peer's memory, which makes them globally visible or persistent
     * ({@code IBV_WR_FLUSH}). The peer's region needs {@link Access#FLUSH_GLOBAL} or {@link Access#FLUSH_PERSISTENT}.
     * The request uses no local memory. Needs {@link DeviceAttr.Capability#FLUSH_GLOBAL} or
     * {@link DeviceAttr.Capability#FLUSH_PERSISTENT}, which rxe has since Linux 6.3.
     *
     * @param length the number of bytes to flush
     * @param placement what the flush guarantees: globally visible or persistent
     */
    public SendWorkRequest flush(long remoteIova, int rkey, int length, FlushPlacement placement) {
        state.changing().opcode = SendOperations.FLUSH;
        state.remoteIova = remoteIova;
        state.rkey = rkey;
        state.boundLength = length;
        state.boundAccess = placement.code();
        return this;
    }

    /**
     * Writes the eight bytes of {@code value} at {@code remoteIova} atomically, in the byte order of this machine
     * ({@code IBV_WR_ATOMIC_WRITE}). The request uses no local memory. Needs
     * {@link DeviceAttr.Capability#ATOMIC_WRITE}, which rxe has since Linux 6.3.
     *
     * @throws IllegalArgumentException if {@code remoteIova} is not a multiple of 8
     */
    public SendWorkRequest atomicWrite(long remoteIova, int rkey, long value) {
        return atomic(SendOperations.ATOMIC_WRITE, remoteIova, rkey, value, 0);
    }

    /** Writes to the peer's memory ({@code IBV_WR_RDMA_WRITE}). The peer's processor is not involved. */
    public SendWorkRequest rdmaWrite(long remoteIova, int rkey) {
        state.changing().opcode = WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE;
        state.remoteIova = remoteIova;
        state.rkey = rkey;
        return this;
    }

    /**
     * Writes to the peer's memory, starting at byte {@code offset}. The peer's processor is not involved.
     *
     * @throws IndexOutOfBoundsException if {@code offset} is not within the memory
     */
    public SendWorkRequest rdmaWrite(RemoteMemory memory, long offset) {
        return rdmaWrite(memory.at(offset), memory.rkey());
    }

    /**
     * Writes to the peer's memory and consumes one receive of the peer, whose completion shows {@code number}
     * ({@code IBV_WR_RDMA_WRITE_WITH_IMM}).
     */
    public SendWorkRequest rdmaWriteWithImmediate(long remoteIova, int rkey, int number) {
        rdmaWrite(remoteIova, rkey);
        state.opcode = WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM;
        state.immediate = number;
        return this;
    }

    /** Reads the peer's memory into the entries, which must allow local writes ({@code IBV_WR_RDMA_READ}). */
    public SendWorkRequest rdmaRead(long remoteIova, int rkey) {
        state.changing().opcode = WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ;
        state.remoteIova = remoteIova;
        state.rkey = rkey;
        return this;
    }

    /**
     * Reads the peer's memory, starting at byte {@code offset}. The peer's processor is not involved.
     *
     * @throws IndexOutOfBoundsException if {@code offset} is not within the memory
     */
    public SendWorkRequest rdmaRead(RemoteMemory memory, long offset) {
        return rdmaRead(memory.at(offset), memory.rkey());
    }

    /**
     * Atomically adds {@code add} to the eight bytes at {@code remoteIova}, a number in the byte order of the peer's
     * machine ({@code IBV_WR_ATOMIC_FETCH_AND_ADD}). The previous value is written to the request's only scatter-gather
     * entry, which must have eight bytes and allow local writes.
     *
     * @throws IllegalArgumentException if {@code remoteIova} is not a multiple of 8
     */
    public SendWorkRequest fetchAndAdd(long remoteIova, int rkey, long add) {
        return atomic(WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, remoteIova, rkey, add, 0);
    }

    /**
     * Atomically sets the eight bytes at {@code remoteIova} to {@code swap} if they equal {@code expected}
     * ({@code IBV_WR_ATOMIC_CMP_AND_SWP}). The previous value is returned as for {@link #fetchAndAdd}, whether the swap
     * took place or not.
     *
     * @throws IllegalArgumentException if {@code remoteIova} is not a multiple of 8
     */
    public SendWorkRequest compareAndSwap(long remoteIova, int rkey, long expected, long swap) {
        return atomic(WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, remoteIova, rkey, expected, swap);
    }

    private SendWorkRequest atomic(int operation, long iova, int key, long first, long second) {
        if (iova % SendOperations.ATOMIC_BYTES != 0) {
            throw new IllegalArgumentException("an atomic operation at address 0x" + Long.toHexString(iova)
                    + "; the address must be a multiple of 8");
        }
        state.changing().opcode = operation;
        state.remoteIova = iova;
        state.rkey = key;
        state.compareAdd = first;
        state.swap = second;
        return this;
    }

    /**
     * Sets the destination of a datagram, which is kept until it is set again. Required for queue pairs of type
     * {@link QueuePairType#UD} and not allowed for other types.
     *
     * @param ah the address of the receiver, from the protection domain of the queue pair
     * @param qpn the queue pair number of the receiver; {@link #MULTICAST_QPN} for a multicast group
     * @param qkey the Q_Key of the receiver, sent unchanged; a receiver drops datagrams with another Q_Key
     */
    public SendWorkRequest to(AddressHandle ah, int qpn, int qkey) {
        state.changing().address = Objects.requireNonNull(ah, "ah");
        state.remoteQpn = qpn;
        state.remoteQkey = qkey;
        return this;
    }

    /**
     * Sets the shared receive queue of the peer ({@code wr.qp_type.xrc.remote_srqn}), which is kept until it is set
     * again. Required for each operation of queue pairs of type {@link QueuePairType#XRC_INI} and not allowed for other
     * types. A send consumes a receive of that queue; an RDMA or atomic operation accesses memory of that queue's
     * protection domain.
     *
     * @param srqn the peer's {@link SharedReceiveQueue#number()}, 0 to 0xffffff
     * @throws IllegalArgumentException if {@code srqn} is out of range
     */
    public SendWorkRequest toSrq(int srqn) {
        if (srqn < 0 || srqn > MAX_SRQN) {
            throw new IllegalArgumentException(
                    "the shared receive queue number " + srqn + " is not from 0 to " + MAX_SRQN);
        }
        state.changing().remoteSrqn = srqn;
        return this;
    }

    /**
     * Adds {@code length} bytes at {@code offset} of {@code region} as a scatter-gather entry. Removes inline data.
     *
     * @throws IllegalStateException if the request has no room for another scatter-gather entry; {@link #clear()} makes
     *     room
     * @throws IndexOutOfBoundsException if the bytes are outside the region
     */
    public SendWorkRequest add(MemoryRegion region, long offset, int length) {
        state.pieces.add(region, offset, length);
        notInline();
        return this;
    }

    /** Removes inline data, because scatter-gather entries replace it. */
    void notInline() {
        state.changing().inline = null;
        state.gathers = false;
        state.flags &= ~SendFlags.IBV_SEND_INLINE;
    }

    /**
     * Sends the bytes from position to limit of {@code data} inline ({@code IBV_SEND_INLINE}). Posting copies the
     * bytes, which need no memory region. Not allowed for RDMA reads. Removes all scatter-gather entries.
     */
    public SendWorkRequest inline(ByteBuffer data) {
        state.changing().inline = data;
        state.gathers = false;
        state.pieces.clear();
        state.flags |= SendFlags.IBV_SEND_INLINE;
        return this;
    }

    /**
     * Sends the bytes of the scatter-gather entries inline. Call this method after {@link #add}, which takes it back.
     * Posting copies the bytes, so the program may overwrite them at once. Not allowed for RDMA reads, and for regions
     * of dma-bufs, segments and ByteBufs: pass a buffer to {@link #inline} instead.
     */
    public SendWorkRequest inlined() {
        state.changing().gathers = true;
        state.flags |= SendFlags.IBV_SEND_INLINE;
        return this;
    }

    /** Requests a completion on success ({@code IBV_SEND_SIGNALED}). */
    public SendWorkRequest signaled() {
        state.flags |= SendFlags.IBV_SEND_SIGNALED;
        return this;
    }

    /** Requests no completion on success. Failures always complete. */
    public SendWorkRequest unsignaled() {
        state.flags &= ~SendFlags.IBV_SEND_SIGNALED;
        return this;
    }

    /** Makes the peer's completion a solicited event ({@code IBV_SEND_SOLICITED}). */
    public SendWorkRequest solicited() {
        state.flags |= SendFlags.IBV_SEND_SOLICITED;
        return this;
    }

    /** Delays the request until all earlier RDMA reads have completed ({@code IBV_SEND_FENCE}). */
    public SendWorkRequest fenced() {
        state.flags |= SendFlags.IBV_SEND_FENCE;
        return this;
    }

    /** Removes scatter-gather entries, inline data and flags; keeps the operation, the destination and the number. */
    public SendWorkRequest clear() {
        state.pieces.clear();
        notInline();
        state.flags = 0;
        return this;
    }

    /** Returns the work request id that was set. */
    public long wrId() {
        return state.wrId;
    }

    /** Returns the number of scatter-gather entries. */
    public int size() {
        return state.numSge();
    }

    /** Returns the length of all scatter-gather entries or of the inline data, in bytes. */
    public long totalLength() {
        return state.totalLength();
    }

    ScatterGatherList pieces() {
        return state.pieces;
    }

    /** Returns the view that a send ring reads. */
    SendState view() {
        return state;
    }

    @Nullable
    AddressHandle address() {
        return state.address;
    }

    /** Returns the window that the request binds; null for another operation. */
    @Nullable
    MemoryWindow binds() {
        return state.opcode == WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW ? state.window : null;
    }

    /** Returns the window that the request binds or invalidates; null for another operation. */
    @Nullable
    MemoryWindow window() {
        return SendOperations.namesWindow(state.opcode) ? state.window : null;
    }

    /** Checks that the window of the request is open, and that the region to bind it to is usable. */
    void ensureWindowUsable() {
        MemoryWindow window = window();
        if (window != null) {
            window.ensureOpen();
            MemoryRegion bound = state.bound;
            if (bound != null && binds() != null) {
                bound.ensureUsable();
            }
        }
    }

    /** The guarantee of a flush for the data written before it, {@code enum ibv_placement_type}. */
    @KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_FLUSH_", since = "6.3")
    public enum FlushPlacement {
        /** {@code IBV_FLUSH_GLOBAL}: the data is visible to the processors and devices of the peer. */
        @CName(value = "IBV_FLUSH_GLOBAL", since = "6.3")
        GLOBAL(1),
        /** {@code IBV_FLUSH_PERSISTENT}: the data survives a loss of power. */
        @CName(value = "IBV_FLUSH_PERSISTENT", since = "6.3")
        PERSISTENT(2);

        private final int code;

        FlushPlacement(int code) {
            this.code = code;
        }

        /** Returns the kernel's number ({@code IBV_FLUSH_*}). */
        public int code() {
            return code;
        }
    }
}
