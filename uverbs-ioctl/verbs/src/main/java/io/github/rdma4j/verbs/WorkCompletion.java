// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout.WcFlags;
import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * What became of one work request ({@code struct ibv_wc}, uapi {@code struct ib_uverbs_wc}). A mutable value that
 * {@link CompletionQueue#poll} fills, so that polling allocates nothing; one thread uses it at a time.
 *
 * <p>When {@link #status()} is not success only {@link #wrId()}, {@link #status()}, {@link #qpNumber()} and
 * {@link #vendorError()} mean anything, as in C.
 */
public final class WorkCompletion {
    /** What rings fill completions through. */
    static final CompletionSink<WorkCompletion> SINK = new Sink();

    private static final int SUCCESS = WorkCompletionStatus.SUCCESS.code();

    /** The bit that sets the opcodes of receives apart. */
    private static final int RECEIVE = WorkCompletionOpcode.RECV.code();

    // The words of struct ib_uverbs_wc: a poll copies them, and who asks for a field takes it out of its word.
    private long wrId;
    private long result;
    private long length;
    private long data;
    private long source;
    private long path;

    /**
     * As many completions as a poll is to return at most.
     *
     * @param length 0 or more
     */
    public static WorkCompletion[] array(int length) {
        Checks.notNegative(length, "length");
        WorkCompletion[] completions = new WorkCompletion[length];
        for (int i = 0; i < length; i++) {
            completions[i] = new WorkCompletion();
        }
        return completions;
    }

    /** A copy that no poll changes. */
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

    /** The number that the program gave, where the dispatcher had put one of its own. */
    void setWrId(long number) {
        wrId = number;
    }

    /** The number that the work request carried. */
    public long wrId() {
        return wrId;
    }

    /** What became of the work request; {@link #rawStatus()} is the number. */
    public WorkCompletionStatus status() {
        return WorkCompletionStatus.of(rawStatus());
    }

    /** The kernel's number of {@link #status()}, {@code IBV_WC_*}. */
    public int rawStatus() {
        return Words.first(result);
    }

    public boolean isSuccess() {
        return rawStatus() == SUCCESS;
    }

    /**
     * This completion, if it is a success.
     *
     * @throws WorkCompletionException when the work request failed
     */
    public WorkCompletion requireSuccess() throws WorkCompletionException {
        if (!isSuccess()) {
            throw new WorkCompletionException(this);
        }
        return this;
    }

    /** The C name of the status without its prefix, for example {@code REM_ACCESS_ERR}; the number where it has no name. */
    public String statusName() {
        WorkCompletionStatus named = status();
        return named == WorkCompletionStatus.UNKNOWN ? "status " + rawStatus() : named.name();
    }

    /** Which operation the completion completes; {@link #rawOpcode()} is the number. */
    public WorkCompletionOpcode opcode() {
        return WorkCompletionOpcode.of(rawOpcode());
    }

    /** The kernel's number of {@link #opcode()}, {@code IBV_WC_*}. */
    public int rawOpcode() {
        return Words.second(result);
    }

    /** True for what ends a receive work request. */
    public boolean isReceive() {
        return (rawOpcode() & RECEIVE) != 0;
    }

    /** A number by which the vendor explains a failure; rxe has none. */
    public int vendorError() {
        return Words.first(length);
    }

    /** Bytes moved; those of the {@link Grh} in front of a datagram are among them. */
    public int byteLength() {
        return Words.second(length);
    }

    /** True when {@link #immediate()} was sent along. */
    public boolean hasImmediate() {
        return (flags() & WcFlags.IBV_WC_WITH_IMM) != 0;
    }

    /** The immediate data in the byte order of the machine: what the peer gave as a number. */
    public int immediate() {
        int stored = Words.first(data);
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? stored : Integer.reverseBytes(stored);
    }

    /** True for a message that has invalidated {@link #invalidatedKey()}. */
    public boolean hasInvalidatedKey() {
        return (flags() & WcFlags.IBV_WC_WITH_INV) != 0;
    }

    /** The remote key of a memory window of this side that {@link SendWorkRequest#sendWithInvalidate} has taken back. */
    public int invalidatedKey() {
        return Words.first(data);
    }

    /** The local queue pair. */
    public int qpNumber() {
        return Words.second(data);
    }

    /** The peer's queue pair, of a datagram. */
    public int sourceQp() {
        return Words.first(source);
    }

    /** Index of the partition key, of a datagram. */
    public int pkeyIndex() {
        return Words.firstShort(path);
    }

    /** True for a datagram that has a {@link Grh} in front. */
    public boolean hasGrh() {
        return (flags() & WcFlags.IBV_WC_GRH) != 0;
    }

    /** {@code IBV_WC_*} flags of {@link WcFlags}. */
    public int flags() {
        return Words.second(source);
    }

    @Override
    public String toString() {
        return "WorkCompletion[wr_id=" + wrId + ", " + statusName() + ", qpn=" + qpNumber() + ", " + byteLength()
                + " bytes]";
    }

    /** Stateless; the only way to write a completion, for completion rings. */
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
        public void setSource(WorkCompletion completion, int sourceQp, int pkeyIndex) {
            completion.source = Words.pair(sourceQp, Words.second(completion.source));
            completion.path = Words.ofFirstShort(pkeyIndex);
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
     * Takes the completion of one work request that was posted through a {@code CompletionDispatcher}.
     *
     * <p>Handlers of one dispatcher run one at a time. What a handler throws goes to the handler of uncaught exceptions and
     * concerns no other work request.
     */
    @FunctionalInterface
    public interface Handler {
        /**
         * Called once for each work request that was posted with this handler.
         *
         * @param completion what became of the work request; valid until the method returns, as the dispatcher uses it again.
         *     {@link WorkCompletion#wrId()} is the number that the program gave to the work request.
         */
        void onCompletion(WorkCompletion completion) throws Exception;
    }
}
