// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.QueueTable;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns entries of a completion queue into completions, and frees the room of completed requests. Trusts a number in an
 * entry only if its queue confirms the number: an entry of an unknown queue pair, without a posted work request, or of
 * an unknown kind is no completion.
 *
 * <p>An entry is identified by its offset {@code at} and by its last word {@code last}.
 */
public abstract class CompletionReader {
    /** The bits of a queue's number. */
    protected static final int NUMBER_MASK = 0xffffff;

    /** The bit of {@link #kindOf} for a receive completed by an RDMA write. */
    protected static final int OF_WRITE = 1 << 31;

    protected static final int NONE = -1;

    protected static final int SEND = WorkCompletionOpcode.SEND.code();
    protected static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();

    private static final int RECV = WorkCompletionOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WorkCompletionOpcode.RECV_RDMA_WITH_IMM.code();
    private static final int RDMA_WRITE = WorkCompletionOpcode.RDMA_WRITE.code();
    private static final int RDMA_READ = WorkCompletionOpcode.RDMA_READ.code();
    private static final int COMP_SWAP = WorkCompletionOpcode.COMP_SWAP.code();
    private static final int FETCH_ADD = WorkCompletionOpcode.FETCH_ADD.code();
    private static final int ATOMIC_BYTES = 8;

    private final CompletionRing cq;
    private final ByteBuffer ring;
    private final QueueTable.Recent<ConnectxQueueRings> queues;
    private final QueueTable<ConnectxSharedReceiveRing> xrcQueues;
    private final Places places;

    protected CompletionReader(CompletionRing cq, ByteBuffer ring, DeviceParts parts, Places places) {
        this.cq = cq;
        this.ring = ring;
        this.queues = parts.queues().table().recent();
        this.xrcQueues = parts.xrcQueues().table();
        this.places = places;
    }

    /**
     * The offsets of the fields of an entry.
     *
     * @param number the number of the queue pair in the context
     * @param qpn the queue pair number
     * @param shared the number of the shared receive queue of XRC
     * @param data the immediate data, the invalidated key, or the P_Key index
     * @param bytes the length
     * @param source the queue pair and the path that sent a datagram
     */
    public record Places(int number, int qpn, int shared, int data, int bytes, int source) {}

    // ---- what the generations differ in

    /**
     * Reads an entry. Returns false, and leaves {@code into} unchanged, if the entry is no completion or is invalid.
     */
    protected abstract <C> boolean read(int at, int last, C into, CompletionSink<C> sink);

    /** True if the entry belongs to {@code queue}, the queues of a queue pair or a shared receive queue of XRC. */
    protected abstract boolean isOf(Object queue, int at, int last);

    /** The counter of a send or of a receive, or the entry of a shared receive queue. */
    protected abstract int counterOf(int at, int last);

    /** The entry of {@code own} that completes; -1 if no completion is due. */
    protected abstract int entryOf(ConnectxReceiveRing own, int last);

    /** The status, {@code IBV_WC_*}. */
    protected abstract int status(int at, int last);

    /** The device's own number of an error; 0 without an error. */
    protected abstract int vendorError(int at, int last);

    /** The operation of a send, {@code IBV_WC_*}; -1 if unknown. */
    protected abstract int sendOpcode(int at, int last, int status);

    /** True when the entry completes a receive. */
    protected abstract boolean isReceive(int last);

    /** The flags of a receive, {@code IBV_WC_WITH_*}, and {@link #OF_WRITE}. */
    protected abstract int kindOf(int last);

    /** True if the datagram has a GRH, according to the field with its source. */
    protected abstract boolean hasGrh(int source);

    /**
     * The path of a datagram.
     *
     * @param source the field with the source
     * @param data the field with the P_Key's index; 0 if it has another content
     */
    protected abstract long path(ConnectxQueueRings of, int at, int source, int data);

    /**
     * Marks the receive of a shared queue as completed. Returns false if there is none, or if it does not complete yet.
     */
    protected boolean completes(ConnectxSharedReceiveRing shared, int at, int last) {
        return shared.completes(counterOf(at, last));
    }

    /** The number of entries that were no completions because their receives were reposted. */
    protected long postedAgain() {
        return 0;
    }

    // ---- fields

    protected final ByteBuffer ring() {
        return ring;
    }

    /** The number of the queue pair in the context. */
    protected final int numberOf(int at) {
        return ring.getInt(at + places.number) & NUMBER_MASK;
    }

    /** The queue pair with the number. */
    protected final @Nullable ConnectxQueueRings queues(int number) {
        return queues.get(number);
    }

    /** The shared receive queue in an entry of XRC. */
    protected final @Nullable ConnectxSharedReceiveRing xrcOf(int at) {
        return xrcQueues.get(ring.getInt(at + places.shared) & NUMBER_MASK);
    }

    // ---- sends

    protected final <C> boolean readSend(int at, int last, ConnectxQueueRings of, C into, CompletionSink<C> sink) {
        int status = status(at, last);
        int opcode = sendOpcode(at, last, status);
        int place = of.ends().sendCq() == cq ? of.send().placeOf(counterOf(at, last)) : NONE;
        if (place < 0 || opcode < 0) {
            return false;
        }
        sink.setResult(into, of.send().wrId(place), status, opcode, of.ends().qpn());
        sink.setPayload(into, status == SUCCESS ? bytesFetched(at, opcode) : 0, 0, 0, vendorError(at, last));
        sink.setSource(into, 0, 0);
        of.send().finish(place);
        return true;
    }

    /** The operation of a work queue element; -1 for an operation that not all generations have. */
    protected static int operation(int code) {
        return switch (code) {
            case Codes.OPCODE_SEND, Codes.OPCODE_SEND_IMM -> SEND;
            case Codes.OPCODE_RDMA_WRITE, Codes.OPCODE_RDMA_WRITE_IMM -> RDMA_WRITE;
            case Codes.OPCODE_RDMA_READ -> RDMA_READ;
            case Codes.OPCODE_ATOMIC_CS -> COMP_SWAP;
            case Codes.OPCODE_ATOMIC_FA -> FETCH_ADD;
            default -> NONE;
        };
    }

    private int bytesFetched(int at, int opcode) {
        if (opcode == RDMA_READ) {
            return ring.getInt(at + places.bytes);
        }
        return opcode == COMP_SWAP || opcode == FETCH_ADD ? ATOMIC_BYTES : 0;
    }

    // ---- receives

    protected final <C> boolean readReceive(int at, int last, ConnectxQueueRings of, C into, CompletionSink<C> sink) {
        if (of.ends().receiveCq() != cq) {
            return false;
        }
        if (of.ends().shared() != null) {
            return readShared(at, last, of, into, sink);
        }
        ConnectxReceiveRing own = of.receive();
        int entry = own == null ? NONE : entryOf(own, last);
        if (own == null || entry < 0) {
            return false;
        }
        int qpn = of.ends().qpn();
        sink.setResult(into, own.wrId(entry), status(at, last), receiveOpcode(last), qpn);
        putReceived(at, last, of, into, sink);
        own.finishOne();
        return true;
    }

    private <C> boolean readShared(int at, int last, ConnectxQueueRings of, C into, CompletionSink<C> sink) {
        ConnectxSharedReceiveRing shared = Objects.requireNonNull(of.ends().shared());
        int entry = counterOf(at, last);
        if (!completes(shared, at, last)) {
            return false;
        }
        int qpn = of.ends().qpn();
        sink.setResult(into, shared.wrId(entry), status(at, last), receiveOpcode(last), qpn);
        putReceived(at, last, of, into, sink);
        shared.free(entry);
        return true;
    }

    /** Reads the receive of an XRC target, which may belong to another process: its number is only in the entry. */
    protected final <C> boolean readXrc(
            int at, int last, ConnectxSharedReceiveRing shared, C into, CompletionSink<C> sink) {
        int entry = counterOf(at, last);
        if (!shared.completesIn(cq) || !completes(shared, at, last)) {
            return false;
        }
        int target = ring.getInt(at + places.qpn) & NUMBER_MASK;
        sink.setResult(into, shared.wrId(entry), status(at, last), receiveOpcode(last), target);
        putReceived(at, last, null, into, sink);
        shared.free(entry);
        return true;
    }

    private int receiveOpcode(int last) {
        return (kindOf(last) & OF_WRITE) != 0 ? RECV_RDMA_WITH_IMM : RECV;
    }

    /** {@code of} is null for a target of XRC. */
    private <C> void putReceived(int at, int last, @Nullable ConnectxQueueRings of, C into, CompletionSink<C> sink) {
        if (status(at, last) != SUCCESS) {
            sink.setPayload(into, 0, 0, 0, vendorError(at, last));
            sink.setSource(into, 0, 0);
            return;
        }
        int flags = kindOf(last) & ~OF_WRITE;
        int data = ring.getInt(at + places.data);
        int source = ring.getInt(at + places.source);
        boolean immediate = (flags & WcFlags.IBV_WC_WITH_IMM) != 0;
        ConnectxQueueRings datagram = of != null && of.ends().datagram() ? of : null;
        int withGrh = datagram != null && hasGrh(source) ? WcFlags.IBV_WC_GRH : 0;
        int carried = immediate ? Words.bigEndian(data) : (flags & WcFlags.IBV_WC_WITH_INV) != 0 ? data : 0;
        sink.setPayload(into, ring.getInt(at + places.bytes), carried, flags | withGrh, 0);
        if (datagram != null) {
            sink.setSource(into, source & NUMBER_MASK, path(datagram, at, source, immediate ? 0 : data));
        } else {
            sink.setSource(into, 0, 0);
        }
    }

    /** Frees the receive that the entry completes, for a closed queue pair. */
    final void drop(int at, int last) {
        ConnectxQueueRings of = queues.get(numberOf(at));
        ConnectxSharedReceiveRing shared = of == null ? null : of.ends().shared();
        if (shared != null && isReceive(last) && shared.completes(counterOf(at, last))) {
            shared.free(counterOf(at, last));
        }
    }

    // ---- failures

    /** The status of an error. */
    protected static int statusOf(int syndrome) {
        WorkCompletionStatus status = switch (syndrome) {
            case Codes.CQE_SYNDROME_LOCAL_LENGTH_ERR -> WorkCompletionStatus.LOC_LEN_ERR;
            case Codes.CQE_SYNDROME_LOCAL_QP_OP_ERR -> WorkCompletionStatus.LOC_QP_OP_ERR;
            case Codes.CQE_SYNDROME_LOCAL_PROT_ERR -> WorkCompletionStatus.LOC_PROT_ERR;
            case Codes.CQE_SYNDROME_WR_FLUSH_ERR -> WorkCompletionStatus.WR_FLUSH_ERR;
            case Codes.CQE_SYNDROME_MW_BIND_ERR -> WorkCompletionStatus.MW_BIND_ERR;
            case Codes.CQE_SYNDROME_BAD_RESP_ERR -> WorkCompletionStatus.BAD_RESP_ERR;
            case Codes.CQE_SYNDROME_LOCAL_ACCESS_ERR -> WorkCompletionStatus.LOC_ACCESS_ERR;
            case Codes.CQE_SYNDROME_REMOTE_INVAL_REQ_ERR -> WorkCompletionStatus.REM_INV_REQ_ERR;
            case Codes.CQE_SYNDROME_REMOTE_ACCESS_ERR -> WorkCompletionStatus.REM_ACCESS_ERR;
            case Codes.CQE_SYNDROME_REMOTE_OP_ERR -> WorkCompletionStatus.REM_OP_ERR;
            case Codes.CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR -> WorkCompletionStatus.RETRY_EXC_ERR;
            case Codes.CQE_SYNDROME_RNR_RETRY_EXC_ERR -> WorkCompletionStatus.RNR_RETRY_EXC_ERR;
            case Codes.CQE_SYNDROME_REMOTE_ABORTED_ERR -> WorkCompletionStatus.REM_ABORT_ERR;
            default -> WorkCompletionStatus.GENERAL_ERR;
        };
        return status.code();
    }
}
