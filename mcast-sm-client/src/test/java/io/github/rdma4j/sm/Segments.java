// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.sm.ScriptedTransport.Sent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The sending half of RMPP, as far as the tests need it: a long MAD cut into segments. */
final class Segments {
    /** Of a segment, without and with subnet administration's header. */
    static final int DATA = 200;

    static final int PAYLOAD = 220;

    /** The size of a record of a group. */
    private static final int RECORD = 56;

    private Segments() {}

    /** The segments of a MAD that is as long as its data needs. */
    static List<ByteBuffer> of(ByteBuffer whole) {
        int length = whole.limit() - SaHeader.Layout.END;
        int count = Math.max(1, (length + DATA - 1) / DATA);
        List<ByteBuffer> segments = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            int start = (i - 1) * DATA;
            int bytes = Math.min(DATA, length - start);
            int flags = RmppHeader.ACTIVE | (i == 1 ? RmppHeader.FIRST : 0) | (i == count ? RmppHeader.LAST : 0);
            int payload = i == count ? PAYLOAD - DATA + bytes : i == 1 ? count * PAYLOAD - (count * DATA - length) : 0;
            segments.add(segment(whole, i, flags, payload)
                    .put(SaHeader.Layout.END, whole, SaHeader.Layout.END + start, bytes));
        }
        return segments;
    }

    /** The segments of an answer to {@code request} with numbered records of groups, the last no longer than needed. */
    static List<ByteBuffer> table(Sent request, int records) {
        ByteBuffer data = ByteBuffer.allocate(RECORD * records);
        for (int i = 0; i < records; i++) {
            data.putShort(RECORD * i + 36, (short) i);
        }
        return of(ScriptedTransport.answerTo(request, 0, 7, data.array())
                .limit(SaHeader.Layout.END + data.capacity())
                .slice());
    }

    /** A segment with the headers of {@code whole} and no data. */
    static ByteBuffer segment(ByteBuffer whole, int number, int flags, int payload) {
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES).put(0, whole, 0, SaHeader.Layout.END);
        new RmppHeader(RmppHeader.VERSION, RmppHeader.DATA, flags, 0, number, payload).encode(mad);
        return mad;
    }
}
