// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The result of one work request ({@code struct ibv_wc}, uapi {@code struct ib_uverbs_wc}). A mutable value that
 * {@link CompletionQueue#poll} fills, so that polling allocates nothing. Only one thread may use it at a time.
 *
 * <p>If {@link #status()} is not success, only {@link #wrId()}, {@link #status()}, {@link #qpNumber()} and
 * {@link #vendorError()} are valid, as in C.
 */
public final class WorkCompletion {
    /** The sink through which rings fill completions. */
    static final CompletionSink<WorkCompletion> SINK = new Sink();

    private static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();

    private static final int SLID = WorkCompletionLayout.SLID - WorkCompletionLayout.PKEY_INDEX;
    private static final int SL = WorkCompletionLayout.SL - WorkCompletionLayout.PKEY_INDEX;
    private static final int DLID_PATH_BITS = WorkCompletionLayout.DLID_PATH_BITS - WorkCompletionLayout.PKEY_INDEX;

    /** The maximum hop limit, for replies to datagrams with a global route header. */
    private static final int HOP_LIMIT = 0xff;

    /** The bit that distinguishes the opcodes of receives. */
    private static final int RECEIVE = WorkCompletionOpcode.RECV.code();

    // The words of struct ib_uverbs_wc: a poll copies the words, and an accessor extracts its field from a word.
    private long wrId;
    private long result;
    private long length;
    private long data;
    private long source;
    private long path;

    /**
     * Creates completions for {@link CompletionQueue#poll}.
     *
     * @param length the number of completions to create, 0 or more
     * @throws IllegalArgumentException if {@code length} is negative
     */
    public static WorkCompletion[] array(int length) {
        Checks.notNegative(length, "length");
        WorkCompletion[] completions = new WorkCompletion[length];
        for (int i = 0; i < length; i++) {
            completions[i] = new WorkCompletion();
        }
        return completions;
    }

    /** Returns a copy that no poll changes. */
    public WorkCompletion copy() {
        WorkCompletion copy = new WorkCompletion();
        copy.wrId = wrId;
        copy.result = result;
        copy.length = length;
        copy.data = data;
        copy.source = source;
        copy.path = path;
        return copy;
    }

    /** Restores the program's work request id, which the dispatcher had replaced. */
    void setWrId(long number) {
        wrId = number;
    }

    /** Returns the work request id that the program set. */
    public long wrId() {
        return wrId;
    }

    /** Returns the result of the work request; {@link #rawStatus()} returns the kernel's number. */
    public WorkCompletionStatus status() {
        return WorkCompletionStatus.of(rawStatus());
    }

    /** Returns the kernel's number of {@link #status()}, {@code IBV_WC_*}. */
    public int rawStatus() {
        return Words.first(result);
    }

    /** Returns true if the work request succeeded. */
    public boolean isSuccess() {
        return rawStatus() == SUCCESS;
    }

    /**
     * Returns this completion if it is a success.
     *
     * @throws WorkCompletionException if the work request failed
     */
    public WorkCompletion requireSuccess() throws WorkCompletionException {
        if (!isSuccess()) {
            throw new WorkCompletionException(this);
        }
        return this;
    }

    /**
     * Returns the C name of the status without its prefix, such as {@code REM_ACCESS_ERR}, or {@code status} and the
     * number if the status is unknown.
     */
    public String statusName() {
        WorkCompletionStatus named = status();
        return named == WorkCompletionStatus.UNKNOWN ? "status " + rawStatus() : named.name();
    }

    /** Returns the operation that completed; {@link #rawOpcode()} returns the kernel's number. */
    public WorkCompletionOpcode opcode() {
        return WorkCompletionOpcode.of(rawOpcode());
    }

    /** Returns the kernel's number of {@link #opcode()}, {@code IBV_WC_*}. */
    public int rawOpcode() {
        return Words.second(result);
    }

    /** Returns true for the completion of a receive work request. */
    public boolean isReceive() {
        return (rawOpcode() & RECEIVE) != 0;
    }

    /** Returns the vendor's number for the cause of a failure; rxe does not set it. */
    public int vendorError() {
        return Words.first(length);
    }

    /** Returns the number of bytes transferred, including the {@link Grh} in front of a datagram. */
    public int byteLength() {
        return Words.second(length);
    }

    /** Returns true if the message carried {@link #immediate()}. */
    public boolean hasImmediate() {
        return (flags() & WcFlags.IBV_WC_WITH_IMM) != 0;
    }

    /** Returns the immediate data in host byte order: the number that the peer passed. */
    public int immediate() {
        int stored = Words.first(data);
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? stored : Integer.reverseBytes(stored);
    }

    /** Returns true if the message invalidated {@link #invalidatedKey()}. */
    public boolean hasInvalidatedKey() {
        return (flags() & WcFlags.IBV_WC_WITH_INV) != 0;
    }

    /**
     * Returns the remote key of the local memory window that {@link SendWorkRequest#sendWithInvalidate} invalidated.
     */
    public int invalidatedKey() {
        return Words.first(data);
    }

    /** Returns the number of the local queue pair. */
    public int qpNumber() {
        return Words.second(data);
    }

    /** Returns the number of the peer's queue pair, for a datagram. */
    public int sourceQp() {
        return Words.first(source);
    }

    /** Returns the index of the partition key, for a datagram. */
    public int pkeyIndex() {
        return Words.getU16(path, 0);
    }

    /**
     * Returns the local identifier of the sender ({@code slid}), 0 to 0xffff, for a datagram on InfiniBand. {@link
     * DeviceContext#ahAttrFromWc} returns the address for a reply.
     */
    public int slid() {
        return Words.getU16(path, SLID);
    }

    /** Returns the service level ({@code sl}), 0 to 15, for a datagram on InfiniBand. */
    public int sl() {
        return Words.getU8(path, SL);
    }

    /**
     * Returns the low bits of the local identifier to which the sender sent ({@code dlid_path_bits}), 0 to 0x7f, for a
     * datagram on InfiniBand.
     */
    public int dlidPathBits() {
        return Words.getU8(path, DLID_PATH_BITS);
    }

    /** Returns true for a datagram with a {@link Grh} in front. */
    public boolean hasGrh() {
        return (flags() & WcFlags.IBV_WC_GRH) != 0;
    }

    /** The address of the sender of a datagram without a header. */
    AhAttr sender(int portNum) {
        return new AhAttr(new Gid(0, 0), 0, 0, 0, 0, slid(), sl(), dlidPathBits(), 0, false, portNum);
    }

    /** The address of the sender of a datagram with {@code header}. */
    AhAttr sender(Grh header, int sgidIndex, int portNum) {
        return new AhAttr(
                header.source(),
                header.flowLabel(),
                sgidIndex,
                HOP_LIMIT,
                header.trafficClass(),
                slid(),
                sl(),
                dlidPathBits(),
                0,
                true,
                portNum);
    }

    /** Returns the {@code IBV_WC_*} flags of {@link WcFlags}. */
    public int flags() {
        return Words.second(source);
    }

    @Override
    public String toString() {
        return "WorkCompletion[wr_id=" + wrId + ", " + statusName() + ", qpn=" + qpNumber() + ", " + byteLength()
                + " bytes]";
    }

    /** Writes completions for completion rings; no other code writes them. Stateless. */
    private static final class Sink implements CompletionSink<WorkCompletion> {
        private static final int RESULT = Words.index(WorkCompletionLayout.STATUS);
        private static final int LENGTH = Words.index(WorkCompletionLayout.VENDOR_ERR);
        private static final int DATA = Words.index(WorkCompletionLayout.IMM_DATA);
        private static final int SOURCE = Words.index(WorkCompletionLayout.SRC_QP);
        private static final int PATH = Words.index(WorkCompletionLayout.PKEY_INDEX);

        @Override
        public void setResult(WorkCompletion completion, long wrId, int status, int opcode, int qpNumber) {
            completion.wrId = wrId;
            completion.result = Words.pair(status, opcode);
            completion.data = Words.pair(Words.first(completion.data), qpNumber);
        }

        @Override
        public void setPayload(WorkCompletion completion, int byteLength, int immediateBe, int flags, int vendorError) {
            completion.length = Words.pair(vendorError, byteLength);
            completion.data = Words.pair(immediateBe, Words.second(completion.data));
            completion.source = Words.pair(Words.first(completion.source), flags);
        }

        @Override
        public void setSource(WorkCompletion completion, int sourceQp, long path) {
            completion.source = Words.pair(sourceQp, Words.second(completion.source));
            completion.path = path;
        }

        @Override
        public void copy(WorkCompletion completion, LongBuffer ring, int index) {
            completion.wrId = ring.get(index);
            completion.result = ring.get(index + RESULT);
            completion.length = ring.get(index + LENGTH);
            completion.data = ring.get(index + DATA);
            completion.source = ring.get(index + SOURCE);
            completion.path = ring.get(index + PATH);
        }
    }

    /**
     * A handler for the completion of one work request that was posted through a {@code CompletionDispatcher}.
     *
     * <p>The handlers of one dispatcher run one at a time. An exception from a handler goes to the uncaught exception
     * handler and affects no other work request.
     */
    @FunctionalInterface
    public interface Handler {
        /**
         * Handles a completion. Called once for each work request that was posted with this handler.
         *
         * @param completion the result of the work request, valid until the method returns, because the dispatcher
         *     reuses it; {@link WorkCompletion#wrId()} is the number that the program gave to the work request
         */
        void onCompletion(WorkCompletion completion) throws Exception;
    }
}
