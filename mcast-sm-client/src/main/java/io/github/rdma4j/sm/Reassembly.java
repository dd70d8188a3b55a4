// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reassembles an answer of several segments: the receiving half of RMPP, without sending and timers. Memory grows with
 * the bytes that arrive, never by the value of a length field. Not safe for use by several threads.
 */
final class Reassembly {
    /** The largest number of segments that the sender may send without an acknowledgement. */
    static final int WINDOW = 64;

    /** The payload of a segment, including the header of subnet administration. */
    private static final int SEGMENT_PAYLOAD = MadHeader.MAD_BYTES - SaHeader.Layout.SA_START;

    private static final int SEGMENT_DATA = MadHeader.MAD_BYTES - SaHeader.Layout.END;
    private static final int SA_HEADER = SEGMENT_PAYLOAD - SEGMENT_DATA;

    private final int maxBytes;
    private final ByteArrayOutputStream whole = new ByteArrayOutputStream();
    private final Map<Integer, byte[]> ahead = new HashMap<>();
    private int contiguous;
    private int highest;
    private int window = 1;
    private int last = Integer.MAX_VALUE;

    Reassembly(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * The consequences of a segment.
     *
     * @param answer the RMPP header to send; null for none
     * @param message the whole answer as one long MAD; null while segments are missing
     * @param failure the reason why the transfer failed; null if it did not
     * @param duplicate true when the segment arrived before, or is too far ahead
     * @param advanced true when the answer has grown without a gap
     * @param endedBySender true when the failure is that the sender gave up
     */
    record Step(
            @Nullable RmppHeader answer,
            @Nullable ByteBuffer message,
            @Nullable String failure,
            boolean duplicate,
            boolean advanced,
            boolean endedBySender) {
        private static final Step NOTHING = new Step(null, null, null, false, false, false);

        private static Step refuse(RmppHeader answer, String failure) {
            return new Step(answer, null, failure, false, false, false);
        }

        private static Step repeated(@Nullable RmppHeader answer) {
            return new Step(answer, null, null, true, false, false);
        }

        private static Step advance(@Nullable RmppHeader answer, @Nullable ByteBuffer message) {
            return new Step(answer, message, null, false, true, false);
        }

        private static Step ended(int status) {
            String why = "the sender ended the transfer with RMPP status " + status;
            return new Step(null, null, why, false, false, true);
        }

        /** True if no further segment of the transfer is expected. */
        boolean isEnd() {
            return message != null || failure != null;
        }
    }

    /** Processes the next MAD of the transfer, which has at least the headers. */
    Step take(RmppHeader rmpp, ByteBuffer mad) {
        if (rmpp.version() != RmppHeader.VERSION) {
            return Step.refuse(RmppHeader.abort(RmppHeader.UNSUPPORTED_VERSION), "RMPP version " + rmpp.version());
        }
        return switch (rmpp.type()) {
            case RmppHeader.DATA -> data(rmpp, mad);
            case RmppHeader.ACK -> Step.NOTHING;
            case RmppHeader.STOP, RmppHeader.ABORT -> Step.ended(rmpp.status());
            default -> Step.refuse(RmppHeader.abort(RmppHeader.BAD_TYPE), "RMPP type " + rmpp.type());
        };
    }

    private Step data(RmppHeader rmpp, ByteBuffer mad) {
        int segment = rmpp.segment();
        if (segment < 1 || rmpp.isFirst() != (segment == 1)) {
            return Step.refuse(
                    RmppHeader.abort(RmppHeader.INCONSISTENT_FIRST),
                    "segment " + Integer.toUnsignedString(segment) + " with flags " + rmpp.flags());
        }
        if (segment <= contiguous) {
            return Step.repeated(ack());
        }
        if (segment > contiguous + WINDOW || ahead.containsKey(segment)) {
            return Step.repeated(null);
        }
        int length = rmpp.isLast() ? rmpp.length() - SA_HEADER : SEGMENT_DATA;
        if (segment > last
                || (rmpp.isLast() && segment < highest)
                || length < 0
                || length > mad.limit() - SaHeader.Layout.END
                || length > SEGMENT_DATA) {
            return Step.refuse(
                    RmppHeader.abort(RmppHeader.INCONSISTENT_LAST),
                    "segment " + segment + " of " + rmpp.length() + " bytes with flags " + rmpp.flags());
        }
        int before = contiguous;
        keep(rmpp, mad, length);
        return next(rmpp, contiguous > before);
    }

    private void keep(RmppHeader rmpp, ByteBuffer mad, int length) {
        int start = rmpp.isFirst() ? 0 : SaHeader.Layout.END;
        byte[] bytes = new byte[SaHeader.Layout.END + length - start];
        mad.get(start, bytes);
        ahead.put(rmpp.segment(), bytes);
        highest = Math.max(highest, rmpp.segment());
        if (rmpp.isLast()) {
            last = rmpp.segment();
        }
        byte[] inOrder = ahead.remove(contiguous + 1);
        while (inOrder != null) {
            whole.writeBytes(inOrder);
            contiguous++;
            inOrder = ahead.remove(contiguous + 1);
        }
    }

    private Step next(RmppHeader rmpp, boolean advanced) {
        if (whole.size() > maxBytes || announcedTooLong(rmpp)) {
            return Step.refuse(RmppHeader.stop(), "it is longer than " + maxBytes + " bytes");
        }
        if (contiguous == last) {
            return Step.advance(ack(), ByteBuffer.wrap(whole.toByteArray()));
        }
        if (!advanced) {
            return Step.NOTHING;
        }
        return Step.advance(contiguous >= window ? ack() : null, null);
    }

    /** True if the first segment announces too long a message. */
    private boolean announcedTooLong(RmppHeader rmpp) {
        return rmpp.isFirst() && !rmpp.isLast() && Integer.compareUnsigned(rmpp.length(), maxBytes) > 0;
    }

    private RmppHeader ack() {
        window = contiguous + WINDOW;
        return RmppHeader.ack(contiguous, window);
    }
}
