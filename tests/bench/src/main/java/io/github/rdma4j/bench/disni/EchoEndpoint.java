// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.disni;

import com.ibm.disni.RdmaActiveEndpoint;
import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** An end of {@link RoundTrips}: prepared calls, and the completions that the group's thread has brought. */
final class EchoEndpoint extends RdmaActiveEndpoint {
    private static final int SLOT = 64;
    private static final long RECEIVE = 1;
    private static final long SEND = 2;

    /** The numbers of completed requests, or statuses of failed requests, negative. */
    private final BlockingQueue<Long> completions = new LinkedBlockingQueue<>();

    private @Nullable Calls calls;

    /**
     * What is prepared when the queue pair is there.
     *
     * @param buffer what is sent, and behind it what is received
     */
    private record Calls(ByteBuffer buffer, SVCPostSend send, SVCPostRecv receive) {}

    EchoEndpoint(RdmaActiveEndpointGroup<EchoEndpoint> group, RdmaCmId id, boolean serverSide) throws IOException {
        super(group, id, serverSide);
    }

    @Override
    protected synchronized void init() throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(2 * SLOT);
        IbvMr mr = registerMemory(buffer).execute().free().getMr();
        IbvSendWR send = new IbvSendWR();
        send.setWr_id(SEND);
        send.setOpcode(IbvSendWR.IBV_WR_SEND);
        send.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        send.getSg_list().add(piece(mr, 0));
        send.setNum_sge(1);
        IbvRecvWR receive = new IbvRecvWR();
        receive.setWr_id(RECEIVE);
        receive.setSg_list(new IbvSendWR().getSg_list()); // it has no list of its own
        receive.getSg_list().add(piece(mr, SLOT));
        receive.setNum_sge(1);
        Calls prepared = new Calls(buffer, postSend(List.of(send)), postRecv(List.of(receive)));
        prepared.receive.execute();
        calls = prepared;
    }

    private static IbvSge piece(IbvMr mr, int offset) {
        IbvSge piece = new IbvSge();
        piece.setAddr(mr.getAddr() + offset);
        piece.setLength(SLOT);
        piece.setLkey(mr.getLkey());
        return piece;
    }

    @Override
    public void dispatchCqEvent(IbvWC wc) {
        completions.add(wc.getStatus() == 0 ? wc.getWr_id() : -wc.getStatus());
    }

    private Calls calls() {
        return Objects.requireNonNull(calls, "no queue pair yet");
    }

    /** Sends the number, and waits until it has come back. */
    void call(long number) throws IOException, InterruptedException {
        ByteBuffer buffer = calls().buffer;
        buffer.putLong(0, number);
        calls().send.execute();
        awaitMessage();
        if (buffer.getLong(SLOT) != number) {
            throw new IOException(buffer.getLong(SLOT) + " has come back in the place of " + number);
        }
        calls().receive.execute();
    }

    /** Sends back what comes. */
    void answerForEver() throws IOException, InterruptedException {
        ByteBuffer buffer = calls().buffer;
        while (true) {
            awaitMessage();
            buffer.putLong(0, buffer.getLong(SLOT));
            calls().receive.execute();
            calls().send.execute();
        }
    }

    private void awaitMessage() throws IOException, InterruptedException {
        long number = completions.take();
        while (number == SEND) {
            number = completions.take();
        }
        if (number < 0) {
            throw new IOException("a request has ended with status " + -number);
        }
    }
}
