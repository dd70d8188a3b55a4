// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.provider.SendView;
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
 * What the send queue is to do ({@code struct ibv_send_wr}). Reusable and allocation-free once made: set it up, post
 * it, {@link #clear()} it for the next; posting copies it. Posting the same again needs no change, and operation,
 * destination and number can be changed alone; pieces of memory add up until {@link #clear()} forgets them. One thread
 * uses it at a time.
 *
 * <pre>{@code
 * SendWorkRequest ping = new SendWorkRequest(1).wrId(1).send().add(region, 0, 64).signaled();
 * qp.postSend(ping);
 * qp.postSend(ping.clear().wrId(2).add(region, 64, 64).signaled());
 * }</pre>
 */
public final class SendWorkRequest {
    /** The queue pair number of all members of a multicast group. */
    public static final int MULTICAST_QPN = 0xff_ffff;

    private static final int MAX_SRQN = 0xff_ffff;

    private final SendState state;

    /** What an atomic operation works on. */
    static final int ATOMIC_BYTES = Long.BYTES;

    /** A request with room for {@code maxPieces} pieces of memory. */
    public SendWorkRequest(int maxPieces) {
        state = new SendState(maxPieces);
    }

    /** The number that comes back in the completion. */
    public SendWorkRequest wrId(long wrId) {
        state.wrId = wrId;
        return this;
    }

    /** A message, which takes one receive of the peer ({@code IBV_WR_SEND}). */
    public SendWorkRequest send() {
        state.opcode = WorkRequestOpcodes.IB_UVERBS_WR_SEND;
        return this;
    }

    /** A message with a number ({@code IBV_WR_SEND_WITH_IMM}), which the peer's completion shows. */
    public SendWorkRequest sendWithImmediate(int number) {
        state.opcode = WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_IMM;
        state.immediate = number;
        return this;
    }

    /**
     * A message that also invalidates a memory window of the peer ({@code IBV_WR_SEND_WITH_INV}): {@code rkey} is the
     * peer's key of a window of type 2 that is bound to the queue pair at the other end. The completion of the peer's
     * receive shows the key.
     */
    public SendWorkRequest sendWithInvalidate(int rkey) {
        state.opcode = WorkRequestOpcodes.IB_UVERBS_WR_SEND_WITH_INV;
        state.rkey = rkey;
        return this;
    }

    /**
     * Takes the binding of {@code window} back ({@code IBV_WR_LOCAL_INV}): its key is of no use to the peer from the
     * completion on, and the window can be bound anew. The request has no memory of its own.
     *
     * @throws IllegalArgumentException when the window is of type 1
     */
    public SendWorkRequest localInvalidate(MemoryWindow window) {
        window.requireType(MemoryWindow.Type.TYPE_2, "invalidated; bind it to 0 bytes instead");
        state.opcode = WorkRequestOpcodes.IB_UVERBS_WR_LOCAL_INV;
        state.window = window;
        return this;
    }

    /**
     * Binds {@code window} to {@code length} bytes at {@code offset} of {@code region} ({@code IBV_WR_BIND_MW} and {@code
     * ibv_bind_mw(3)}), which the peer may then access as {@code access} says by the window's new key. The key is {@link
     * MemoryWindow#rkey()} as soon as the request is posted, and the peer may use it from the completion on. The request
     * has no memory of its own. After a bind that failed, close the window.
     *
     * @param region a region with {@link Access#MW_BIND}, and {@link Access#LOCAL_WRITE} if the peer may write
     * @param length 0 or more for a window of type 1, where 0 takes the binding back; 1 or more for type 2
     * @param access rights among REMOTE_WRITE, REMOTE_READ and REMOTE_ATOMIC
     */
    public SendWorkRequest bind(
            MemoryWindow window, MemoryRegion region, long offset, long length, Set<Access> access) {
        window.requireRange(region, offset, length);
        state.opcode = WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW;
        state.window = window;
        state.bound = region;
        state.boundOffset = offset;
        state.boundLength = length;
        state.boundAccess = MemoryWindow.flags(access);
        return this;
    }

    /**
     * Makes what earlier RDMA writes have put at the peer's memory visible there, or lasting ({@code IBV_WR_FLUSH}); the
     * region there needs {@link Access#FLUSH_GLOBAL} or {@link Access#FLUSH_PERSISTENT}. The request has no memory of its
     * own. Needs {@link DeviceAttr.Capability#FLUSH_GLOBAL} or {@link DeviceAttr.Capability#FLUSH_PERSISTENT}: Linux 6.3 with rxe.
     *
     * @param length bytes to flush
     * @param placement how far the writes are to have got
     */
    public SendWorkRequest flush(long remoteIova, int rkey, int length, FlushPlacement placement) {
        state.opcode = SendOperations.FLUSH;
        state.remoteIova = remoteIova;
        state.rkey = rkey;
        state.boundLength = length;
        state.boundAccess = placement.code();
        return this;
    }

    /**
     * Writes the eight bytes of {@code value} at {@code remoteIova} in one step ({@code IBV_WR_ATOMIC_WRITE}), as they lie in
     * the memory of this machine. The request has no memory of its own. Needs {@link DeviceAttr.Capability#ATOMIC_WRITE}: Linux
     * 6.3 with rxe.
     *
     * @throws IllegalArgumentException when {@code remoteIova} is not a multiple of 8
     */
    public SendWorkRequest atomicWrite(long remoteIova, int rkey, long value) {
        return atomic(SendOperations.ATOMIC_WRITE, remoteIova, rkey, value, 0);
    }

    /** Writes the peer's memory without its doing anything ({@code IBV_WR_RDMA_WRITE}). */
    public SendWorkRequest rdmaWrite(long remoteIova, int rkey) {
        state.opcode = WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE;
        state.remoteIova = remoteIova;
        state.rkey = rkey;
        return this;
    }

    /**
     * Writes to the peer's memory from the byte at {@code offset} on. The peer's processor is not involved.
     *
     * @throws IndexOutOfBoundsException if {@code offset} is not within the memory
     */
    public SendWorkRequest rdmaWrite(RemoteMemory memory, long offset) {
        return rdmaWrite(memory.at(offset), memory.rkey());
    }

    /** Writes the peer's memory, and takes one receive of the peer to say so ({@code IBV_WR_RDMA_WRITE_WITH_IMM}). */
    public SendWorkRequest rdmaWriteWithImmediate(long remoteIova, int rkey, int number) {
        rdmaWrite(remoteIova, rkey);
        state.opcode = WorkRequestOpcodes.IB_UVERBS_WR_RDMA_WRITE_WITH_IMM;
        state.immediate = number;
        return this;
    }

    /** Reads the peer's memory into the pieces, which must allow local writes ({@code IBV_WR_RDMA_READ}). */
    public SendWorkRequest rdmaRead(long remoteIova, int rkey) {
        state.opcode = WorkRequestOpcodes.IB_UVERBS_WR_RDMA_READ;
        state.remoteIova = remoteIova;
        state.rkey = rkey;
        return this;
    }

    /**
     * Reads the peer's memory from the byte at {@code offset} on. The peer's processor is not involved.
     *
     * @throws IndexOutOfBoundsException if {@code offset} is not within the memory
     */
    public SendWorkRequest rdmaRead(RemoteMemory memory, long offset) {
        return rdmaRead(memory.at(offset), memory.rkey());
    }

    /**
     * Adds {@code add} to the eight bytes at {@code remoteIova}, a number in the order of the peer's machine, in one step
     * ({@code IBV_WR_ATOMIC_FETCH_AND_ADD}). What was there before comes into the request's one piece of memory, of eight
     * bytes, which must allow local writes.
     *
     * @throws IllegalArgumentException when {@code remoteIova} is not a multiple of 8
     */
    public SendWorkRequest fetchAndAdd(long remoteIova, int rkey, long add) {
        return atomic(WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, remoteIova, rkey, add, 0);
    }

    /**
     * Sets the eight bytes at {@code remoteIova} to {@code swap} if they are {@code expected}, in one step ({@code
     * IBV_WR_ATOMIC_CMP_AND_SWP}). What was there before comes back as with {@link #fetchAndAdd}, whether it was swapped
     * or not.
     *
     * @throws IllegalArgumentException when {@code remoteIova} is not a multiple of 8
     */
    public SendWorkRequest compareAndSwap(long remoteIova, int rkey, long expected, long swap) {
        return atomic(WorkRequestOpcodes.IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, remoteIova, rkey, expected, swap);
    }

    private SendWorkRequest atomic(int operation, long iova, int key, long first, long second) {
        if (iova % ATOMIC_BYTES != 0) {
            throw new IllegalArgumentException(
                    "an atomic operation at 0x" + Long.toHexString(iova) + ", which is not a multiple of 8");
        }
        state.opcode = operation;
        state.remoteIova = iova;
        state.rkey = key;
        state.compareAdd = first;
        state.swap = second;
        return this;
    }

    /**
     * Where a datagram goes; kept until set anew. For queue pairs of type {@link QueuePairType#UD}, which need it, and
     * for no other.
     *
     * @param ah the address of the receiver, of the protection domain of the queue pair
     * @param qpn the queue pair there, {@link #MULTICAST_QPN} for a multicast group
     * @param qkey the Q_Key that the receiver must have; sent as it is. A receiver drops what has another one.
     */
    public SendWorkRequest to(AddressHandle ah, int qpn, int qkey) {
        state.address = Objects.requireNonNull(ah, "ah");
        state.remoteQpn = qpn;
        state.remoteQkey = qkey;
        return this;
    }

    /**
     * The shared receive queue of the peer that the request is for ({@code wr.qp_type.xrc.remote_srqn}); kept until set anew. For
     * queue pairs of type {@link QueuePairType#XRC_INI}, which need it with each operation, and for no other: a send takes a receive
     * of that queue, and an RDMA or atomic operation reaches the memory of that queue's protection domain.
     *
     * @param srqn {@link SharedReceiveQueue#number()} there
     */
    public SendWorkRequest toSrq(int srqn) {
        if (srqn < 0 || srqn > MAX_SRQN) {
            throw new IllegalArgumentException(
                    "the number " + srqn + " of a shared receive queue; it has 0 to " + MAX_SRQN);
        }
        state.remoteSrqn = srqn;
        return this;
    }

    /**
     * Adds {@code length} bytes at {@code offset} of {@code region}; takes the place of inline data.
     *
     * @throws IllegalStateException when the request has as many pieces as it has room for; {@link #clear()} makes room
     */
    public SendWorkRequest add(MemoryRegion region, long offset, int length) {
        state.pieces.add(region, offset, length);
        notInline();
        return this;
    }

    /** The pieces take the place of inline data. */
    void notInline() {
        state.inline = null;
        state.flags &= ~SendFlags.IBV_SEND_INLINE;
    }

    /**
     * Sends the bytes from position to limit of {@code data} out of the request itself ({@code IBV_SEND_INLINE}): they
     * are copied when the request is posted and need no memory region. Not for reads; takes the place of all pieces.
     */
    public SendWorkRequest inline(ByteBuffer data) {
        state.inline = data;
        state.pieces.clear();
        state.flags |= SendFlags.IBV_SEND_INLINE;
        return this;
    }

    /** Asks for a completion also when all goes well ({@code IBV_SEND_SIGNALED}). */
    public SendWorkRequest signaled() {
        state.flags |= SendFlags.IBV_SEND_SIGNALED;
        return this;
    }

    /** Asks for none when all goes well; a failure always completes. */
    public SendWorkRequest unsignaled() {
        state.flags &= ~SendFlags.IBV_SEND_SIGNALED;
        return this;
    }

    /** Makes the peer's completion a solicited event ({@code IBV_SEND_SOLICITED}). */
    public SendWorkRequest solicited() {
        state.flags |= SendFlags.IBV_SEND_SOLICITED;
        return this;
    }

    /** Starts only when the RDMA reads before it have ended ({@code IBV_SEND_FENCE}). */
    public SendWorkRequest fenced() {
        state.flags |= SendFlags.IBV_SEND_FENCE;
        return this;
    }

    /** Forgets pieces, inline data and flags; keeps the operation, where it goes, and its number. */
    public SendWorkRequest clear() {
        state.pieces.clear();
        state.inline = null;
        state.flags = 0;
        return this;
    }

    public long wrId() {
        return state.wrId;
    }

    /** How many pieces of memory there are. */
    public int size() {
        return state.numSge();
    }

    /** Bytes of all pieces, or of the inline data. */
    public long totalLength() {
        return state.totalLength();
    }

    ScatterGatherList pieces() {
        return state.pieces;
    }

    /** What a send ring reads. */
    SendView view() {
        return state;
    }

    @Nullable
    AddressHandle address() {
        return state.address;
    }

    /** The window that is bound by the request; null for another operation. */
    @Nullable
    MemoryWindow binds() {
        return state.opcode == WorkRequestOpcodes.IB_UVERBS_WR_BIND_MW ? state.window : null;
    }

    /** The window that the request names, whatever it does with it. */
    @Nullable
    MemoryWindow window() {
        return SendOperations.namesWindow(state.opcode) ? state.window : null;
    }

    /** The window that the request names, and the region that it binds the window to. */
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

    /** How far a flush brings what was written, {@code enum ibv_placement_type}. */
    @KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_FLUSH_", since = "6.3")
    public enum FlushPlacement {
        /** {@code IBV_FLUSH_GLOBAL}: the processors and devices of the peer see it. */
        @CName(value = "IBV_FLUSH_GLOBAL", since = "6.3")
        GLOBAL(1),
        /** {@code IBV_FLUSH_PERSISTENT}: it outlasts a loss of power. */
        @CName(value = "IBV_FLUSH_PERSISTENT", since = "6.3")
        PERSISTENT(2);

        private final int code;

        FlushPlacement(int code) {
            this.code = code;
        }

        /** The number of the placement ({@code IBV_FLUSH_*}). */
        public int code() {
            return code;
        }
    }
}
