// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;

/** One end of a connection by DiSNI's verbs, with a queue pair, a buffer and its region. */
final class Peer {
    static final int BYTES = 65_536;
    static final int SLOT = 4096;
    static final int INLINE = 64;
    static final int RIGHTS =
            IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE | IbvMr.IBV_ACCESS_REMOTE_READ;

    /** The kernel's numbers of events, which are DiSNI's too. */
    static final int ADDR_RESOLVED = 0;

    static final int ROUTE_RESOLVED = 2;
    static final int CONNECT_REQUEST = 4;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;

    private static final int SUCCESS = 0;
    private static final int LIMIT_MILLIS = 20_000;
    private static final int WITH_IMM = 2;

    final RdmaCmId id;
    final IbvPd pd;
    final IbvCompChannel channel;
    final IbvCQ cq;
    final IbvQP qp;
    final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    final IbvMr mr;

    /** On an id that has a device. */
    Peer(RdmaCmId id) throws IOException {
        this.id = id;
        pd = id.getVerbs().allocPd();
        channel = id.getVerbs().createCompChannel();
        cq = id.getVerbs().createCQ(channel, 64, 0);
        qp = newQp();
        mr = pd.regMr(buffer, RIGHTS).execute().free().getMr();
    }

    IbvQP newQp() throws IOException {
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(16);
        attributes.cap().setMax_recv_wr(16);
        attributes.cap().setMax_send_sge(1);
        attributes.cap().setMax_recv_sge(1);
        attributes.cap().setMax_inline_data(INLINE);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(cq);
        attributes.setRecv_cq(cq);
        return id.createQP(pd, attributes);
    }

    /** The number of the next event, or -1 if none comes in the time. */
    static int event(RdmaEventChannel events, int millis) throws IOException {
        RdmaCmEvent event = events.getCmEvent(millis);
        if (event != null) {
            event.ackEvent();
        }
        return event == null ? -1 : event.getEvent();
    }

    /** An id with address and route resolved. */
    static RdmaCmId resolved(RdmaEventChannel events, InetSocketAddress to) throws IOException {
        RdmaCmId id = events.createId(RdmaCm.RDMA_PS_TCP);
        id.resolveAddr(null, to, 2000);
        expect(events, ADDR_RESOLVED);
        id.resolveRoute(2000);
        expect(events, ROUTE_RESOLVED);
        return id;
    }

    static RdmaCmEvent expect(RdmaEventChannel events, int number) throws IOException {
        RdmaCmEvent event = events.getCmEvent(LIMIT_MILLIS);
        if (event == null || event.getEvent() != number) {
            throw new IllegalStateException(
                    (event == null ? "no event" : "event " + event.getEvent()) + " for event " + number);
        }
        event.ackEvent();
        return event;
    }

    /** All retries: a packet may get lost. */
    static RdmaConnParam parameters() throws IOException {
        RdmaConnParam parameters = new RdmaConnParam();
        parameters.setRetry_count((byte) 7);
        parameters.setRnr_retry_count((byte) 7);
        return parameters;
    }

    /** A piece of the buffer. */
    IbvSge piece(int offset, int length) {
        return piece(mr.getAddr() + offset, length, mr.getLkey());
    }

    static IbvSge piece(long address, int length, int lkey) {
        IbvSge piece = new IbvSge();
        piece.setAddr(address);
        piece.setLength(length);
        piece.setLkey(lkey);
        return piece;
    }

    static IbvSendWR request(long wrId, int opcode, int flags, IbvSge... pieces) {
        IbvSendWR request = new IbvSendWR();
        request.setWr_id(wrId);
        request.setOpcode(opcode);
        request.setSend_flags(flags);
        request.getSg_list().addAll(List.of(pieces));
        request.setNum_sge(pieces.length);
        return request;
    }

    /** A send of the first bytes of the buffer that completes with success or failure. */
    IbvSendWR send(long wrId, int length) {
        return request(wrId, IbvSendWR.IBV_WR_SEND, IbvSendWR.IBV_SEND_SIGNALED, piece(0, length));
    }

    /** The same for an operation on the memory of {@code peer}. */
    IbvSendWR remote(long wrId, int opcode, Peer peer, IbvSge piece) {
        IbvSendWR request = request(wrId, opcode, IbvSendWR.IBV_SEND_SIGNALED, piece);
        request.getRdma().setRemote_addr(peer.mr.getAddr() + BYTES - SLOT);
        request.getRdma().setRkey(peer.mr.getRkey());
        return request;
    }

    String post(IbvSendWR... requests) throws IOException {
        qp.postSend(List.of(requests), null).execute().free();
        return "ok";
    }

    static IbvRecvWR room(long wrId, IbvSge... pieces) {
        // DiSNI wants a list of this class.
        LinkedList<IbvSge> list = new IbvSendWR().getSg_list();
        list.addAll(List.of(pieces));
        IbvRecvWR request = new IbvRecvWR();
        request.setWr_id(wrId);
        request.setSg_list(list);
        return request;
    }

    void receive(long wrId, IbvSge... pieces) throws IOException {
        qp.postRecv(List.of(room(wrId, pieces)), null).execute().free();
    }

    /** So many completions, each in brackets; fewer when they do not come. */
    String completions(int count) throws IOException {
        StringBuilder text = new StringBuilder();
        IbvWC[] into = new IbvWC[8];
        Arrays.setAll(into, i -> new IbvWC());
        long start = System.nanoTime();
        int polled = 0;
        while (polled < count && System.nanoTime() - start < LIMIT_MILLIS * 1_000_000L) {
            int polls = cq.poll(into, into.length).execute().getPolls();
            for (int i = 0; i < polls; i++) {
                text.append(describe(into[i]));
            }
            polled += polls;
        }
        return text.toString();
    }

    private String describe(IbvWC wc) throws IOException {
        String text = " [" + wc.getWr_id() + " status " + wc.getStatus();
        if (wc.getStatus() == SUCCESS) {
            boolean receive = wc.getOpcode() >= IbvWC.IbvWcOpcode.IBV_WC_RECV.getOpcode();
            text += " opcode " + wc.getOpcode() + (receive ? " " + wc.getByte_len() + " bytes" : "");
            if (receive && (wc.getWc_flags() & WITH_IMM) != 0) {
                text += " immediate " + Integer.toHexString(wc.getImm_data());
            }
        }
        return text + (wc.getQp_num() == qp.getQp_num() ? "]" : " of another queue pair]");
    }
}
