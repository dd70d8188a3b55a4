// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.UdParam;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One event as GET_EVENT gave it.
 *
 * @param uid of the id, or of the multicast join
 * @param id handle of the id, of the child for CONNECT_REQUEST, of the join for MULTICAST_*
 * @param event {@code RDMA_CM_EVENT_*}
 * @param status 0, minus an error number, or what the peer said
 * @param reply all bytes of the reply; nothing in them tells which variant the parameters are
 */
@SuppressWarnings("ArrayRecordComponent") // a value that is read, never compared
public record RawEvent(long uid, int id, int event, int status, byte[] reply) {
    static RawEvent decode(byte[] reply) {
        ByteBuffer in = ByteBuffer.wrap(reply).order(ByteOrder.nativeOrder());
        return new RawEvent(
                in.getLong(EventReply.UID),
                in.getInt(EventReply.ID),
                in.getInt(EventReply.EVENT),
                in.getInt(EventReply.STATUS),
                reply);
    }

    private ByteBuffer buffer() {
        return ByteBuffer.wrap(reply).order(ByteOrder.nativeOrder());
    }

    /** The parameters, read as parameters of a connected id. */
    public ConnParam conn() {
        return ConnParam.decode(buffer(), EventReply.PARAM);
    }

    /** The parameters, read as parameters of a datagram id. */
    public UdParam ud() {
        return UdParam.decode(buffer(), EventReply.PARAM);
    }

    /** The argument of a USER or INTERNAL event. */
    public long arg() {
        return buffer().getLong(EventReply.PARAM);
    }

    public boolean is(CmEventType type) {
        return event == type.code();
    }

    /** Whether a timer causes the event, long after the command that led to it. */
    public boolean isLate() {
        return is(CmEventType.TIMEWAIT_EXIT);
    }

    /** The C name without its prefix. */
    public String name() {
        CmEventType type = CmEventType.of(event);
        return type == CmEventType.UNKNOWN ? "EVENT_" + event : type.name();
    }

    /** Name and, unless it is 0, the status: {@code ADDR_ERROR(-110)}. */
    public String text() {
        return status == 0 ? name() : name() + "(" + status + ")";
    }

    @Override
    public String toString() {
        return text() + " of id " + id + ", uid " + uid;
    }
}
