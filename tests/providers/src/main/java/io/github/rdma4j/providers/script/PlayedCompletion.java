// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import java.nio.LongBuffer;

/** A completion that a script has polled. */
final class PlayedCompletion {
    static final CompletionSink<PlayedCompletion> SINK = new CompletionSink<>() {
        @Override
        public void setResult(PlayedCompletion completion, long wrId, int status, int opcode, int qpNumber) {
            completion.wrId = wrId;
            completion.status = status;
            completion.opcode = opcode;
            completion.qpNumber = qpNumber;
        }

        @Override
        public void setPayload(
                PlayedCompletion completion, int byteLength, int immediateBe, int flags, int vendorError) {
            completion.byteLength = byteLength;
            completion.immediateBe = immediateBe;
            completion.flags = flags;
            completion.vendorError = vendorError;
        }

        @Override
        public void setSource(PlayedCompletion completion, int sourceQp, long path) {
            completion.sourceQp = sourceQp;
            completion.path = path;
        }

        @Override
        public void copy(PlayedCompletion completion, LongBuffer ring, int index) {
            throw new UnsupportedOperationException("a completion of mlx5 is no struct ib_uverbs_wc");
        }
    };

    private static final int RECEIVE = 128;
    private static final int READ = 2;
    private static final int GRH = 1;
    private static final int WITH_IMM = 2;
    private static final int WITH_INV = 8;

    private long wrId;
    private int status;
    private int opcode;
    private int qpNumber;
    private int byteLength;
    private int immediateBe;
    private int flags;
    private int vendorError;
    private int sourceQp;
    private long path;

    /** As many as a poll is to return at most. */
    static PlayedCompletion[] array(int length) {
        PlayedCompletion[] array = new PlayedCompletion[length];
        for (int i = 0; i < length; i++) {
            array[i] = new PlayedCompletion();
        }
        return array;
    }

    int qpNumber() {
        return qpNumber;
    }

    /** As the program in C prints it. */
    String text(boolean datagram) {
        StringBuilder text = new StringBuilder("  completion " + wrId + " status " + status + " qp " + hex(qpNumber));
        if (status != 0) {
            return text.append(" vendor ").append(hex(vendorError)).toString();
        }
        text.append(" opcode ").append(opcode);
        boolean receive = (opcode & RECEIVE) != 0;
        if (receive || opcode >= READ) {
            text.append(" bytes ").append(Integer.toUnsignedString(byteLength));
        }
        boolean immediate = (flags & WITH_IMM) != 0;
        if (receive && immediate) {
            text.append(String.format(" imm %08x", Integer.reverseBytes(immediateBe)));
        }
        if (receive && (flags & WITH_INV) != 0) {
            text.append(String.format(" inv %08x", immediateBe));
        }
        if (receive && datagram) {
            text.append(" grh ").append(flags & GRH).append(" from ").append(hex(sourceQp));
            text.append(immediate ? "" : " pkey " + Words.getU16(path, 0));
            text.append(" lid ")
                    .append(hex(Words.getU16(path, WorkCompletionLayout.SLID - WorkCompletionLayout.PKEY_INDEX)));
            text.append(" sl ").append(Words.getU8(path, WorkCompletionLayout.SL - WorkCompletionLayout.PKEY_INDEX));
            text.append(" path ")
                    .append(hex(
                            Words.getU8(path, WorkCompletionLayout.DLID_PATH_BITS - WorkCompletionLayout.PKEY_INDEX)));
        }
        return text.toString();
    }

    private static String hex(int number) {
        return Integer.toHexString(number);
    }
}
