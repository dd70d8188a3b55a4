// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import java.nio.LongBuffer;

/** A completion from the completion queue's previous ring, kept for a later poll. */
final class KeptCompletion {
    static final CompletionSink<KeptCompletion> SINK = new CompletionSink<>() {
        @Override
        public void setResult(KeptCompletion kept, long wrId, int status, int opcode, int qpNumber) {
            kept.wrId = wrId;
            kept.status = status;
            kept.opcode = opcode;
            kept.qpNumber = qpNumber;
        }

        @Override
        public void setPayload(KeptCompletion kept, int byteLength, int immediateBe, int flags, int vendorError) {
            kept.byteLength = byteLength;
            kept.immediateBe = immediateBe;
            kept.flags = flags;
            kept.vendorError = vendorError;
        }

        @Override
        public void setSource(KeptCompletion kept, int sourceQp, long path) {
            kept.sourceQp = sourceQp;
            kept.path = path;
        }

        @Override
        public void copy(KeptCompletion kept, LongBuffer ring, int index) {
            throw new UnsupportedOperationException("a completion of bnxt_re is no struct ib_uverbs_wc");
        }
    };

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

    boolean isOf(int number) {
        return qpNumber == number;
    }

    <C> void copyTo(C into, CompletionSink<C> sink) {
        sink.setResult(into, wrId, status, opcode, qpNumber);
        sink.setPayload(into, byteLength, immediateBe, flags, vendorError);
        sink.setSource(into, sourceQp, path);
    }
}
