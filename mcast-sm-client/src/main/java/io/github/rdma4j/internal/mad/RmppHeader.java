// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.kernel.MalformedReplyException;
import java.nio.ByteBuffer;

/**
 * The header of the reliable multi-packet protocol (RMPP), which carries a message in several MADs: bytes 24 to 35. It
 * is 0 in a MAD without the protocol.
 *
 * @param segment DATA: the number of this segment, from 1; ACK: the last segment up to which all have arrived
 * @param length DATA: in the last segment, the number of its bytes; ACK: the last segment that may be sent
 */
public record RmppHeader(int version, int type, int flags, int status, int segment, int length) {
    public static final int VERSION = 1;
    public static final int DATA = 1;
    public static final int ACK = 2;
    public static final int STOP = 3;
    public static final int ABORT = 4;

    public static final int ACTIVE = 1;
    public static final int FIRST = 2;
    public static final int LAST = 4;

    /** STOP: the receiver lacks memory. */
    public static final int RESOURCES_EXHAUSTED = 1;

    /** ABORT: the transfer took too long. */
    public static final int TOTAL_TIME_TOO_LONG = 118;

    /** ABORT: the last segment has a wrong number or length. */
    public static final int INCONSISTENT_LAST = 119;

    /** ABORT: the flag FIRST and the segment number contradict each other. */
    public static final int INCONSISTENT_FIRST = 120;

    /** ABORT: an unknown type. */
    public static final int BAD_TYPE = 121;

    /** ABORT: an unsupported version. */
    public static final int UNSUPPORTED_VERSION = 125;

    private static final int FLAGS = 7;
    private static final int NO_RESPONSE_TIME = 31 << 3;

    /** The offsets of the fields, from the start of the MAD. */
    public static final class Layout {
        public static final int VERSION = 24; // u8: 1, or 0 without RMPP
        public static final int TYPE = 25; // u8
        public static final int RTIME_FLAGS = 26; // u8: response time 7:3, flags 2:0
        public static final int STATUS = 27; // u8: the reason why a transfer ends early
        public static final int DATA1 = 28; // u32
        public static final int DATA2 = 32; // u32
        public static final int END = 36;

        private Layout() {}
    }

    /** The header of a MAD without the protocol. */
    public static final RmppHeader NONE = new RmppHeader(0, 0, 0, 0, 0, 0);

    /** Acknowledges all segments up to {@code segment}, and permits the segments up to {@code window}. */
    public static RmppHeader ack(int segment, int window) {
        return new RmppHeader(VERSION, ACK, ACTIVE, 0, segment, window);
    }

    /** Ends a transfer for lack of memory. */
    public static RmppHeader stop() {
        return new RmppHeader(VERSION, STOP, ACTIVE, RESOURCES_EXHAUSTED, 0, 0);
    }

    /** Ends a transfer that breaks the protocol. */
    public static RmppHeader abort(int status) {
        return new RmppHeader(VERSION, ABORT, ACTIVE, status, 0, 0);
    }

    /** Writes the header of the MAD that starts at 0; {@code out} must be big-endian. */
    public void encode(ByteBuffer out) {
        StructFields.putU8(out, Layout.VERSION, version);
        StructFields.putU8(out, Layout.TYPE, type);
        StructFields.putU8(out, Layout.RTIME_FLAGS, version == 0 ? flags : flags | NO_RESPONSE_TIME);
        StructFields.putU8(out, Layout.STATUS, status);
        out.putInt(Layout.DATA1, segment);
        out.putInt(Layout.DATA2, length);
    }

    /** Reads the header of the MAD that starts at 0 of a big-endian buffer. */
    public static RmppHeader decode(ByteBuffer in) throws MalformedReplyException {
        if (in.limit() < Layout.END) {
            throw new MalformedReplyException("MAD with RMPP", in.limit(), in.limit());
        }
        return new RmppHeader(
                StructFields.getU8(in, Layout.VERSION),
                StructFields.getU8(in, Layout.TYPE),
                StructFields.getU8(in, Layout.RTIME_FLAGS) & FLAGS,
                StructFields.getU8(in, Layout.STATUS),
                in.getInt(Layout.DATA1),
                in.getInt(Layout.DATA2));
    }

    /** True if the MAD is part of a transfer. The simulator ibsim sets the flag but no version. */
    public boolean isActive() {
        return version != 0 && (flags & ACTIVE) != 0;
    }

    public boolean isFirst() {
        return (flags & FIRST) != 0;
    }

    public boolean isLast() {
        return (flags & LAST) != 0;
    }
}
