// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.disni.RdmaActiveEndpoint;
import com.ibm.disni.RdmaActiveEndpointGroup;
import com.ibm.disni.RdmaEndpoint;
import com.ibm.disni.RdmaEndpointGroup;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What the ends of an echo do, whatever group of DiSNI they belong to: prepared calls, made when the group has made the queue pair. */
final class EchoEndpoint {
    static final int LIMIT_MILLIS = 8000;

    private static final int SLOT = 64;
    private static final int RECEIVE = 1;
    private static final int SEND = 2;

    private final RdmaEndpoint endpoint;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(2 * SLOT);
    private final BlockingQueue<IbvWC> completions = new LinkedBlockingQueue<>();

    /** The numbers of completions that nobody has waited for yet. */
    private final Set<Long> early = new HashSet<>();

    private final IbvMr mr;
    private final SVCPostSend send;
    private final SVCPostRecv receive;

    private EchoEndpoint(RdmaEndpoint endpoint) throws IOException {
        this.endpoint = endpoint;
        mr = endpoint.registerMemory(buffer).execute().free().getMr();
        send = endpoint.postSend(
                List.of(Peer.request(SEND, IbvSendWR.IBV_WR_SEND, IbvSendWR.IBV_SEND_SIGNALED, piece(0))));
        receive = endpoint.postRecv(List.of(Peer.room(RECEIVE, piece(SLOT))));
        receive.execute();
    }

    private IbvSge piece(int offset) {
        return Peer.piece(mr.getAddr() + offset, SLOT, mr.getLkey());
    }

    /** Sends the number, and returns the one that comes back. */
    long call(long number) throws Exception {
        buffer.putLong(0, number);
        send.execute();
        await(SEND);
        return awaitNumber();
    }

    /** Returns one number to the peer. */
    void answer() throws Exception {
        buffer.putLong(0, awaitNumber());
        send.execute();
        await(SEND);
    }

    private long awaitNumber() throws Exception {
        await(RECEIVE);
        long number = buffer.getLong(SLOT);
        receive.execute();
        return number;
    }

    /** Waits for a completion; that of the other queue may come first, and is remembered. */
    @SuppressWarnings("ThreadPriorityCheck") // on one processor, the peer that polls too would lose its whole turn
    private void await(long wrId) throws Exception {
        long start = System.nanoTime();
        while (!early.remove(wrId)) {
            IbvWC next = endpoint instanceof Active ? completions.poll(LIMIT_MILLIS, TimeUnit.MILLISECONDS) : poll();
            if (next != null && next.getStatus() != 0) {
                throw new IOException("status " + next.getStatus() + " of " + next.getWr_id());
            }
            if (next != null) {
                early.add(next.getWr_id());
            } else if (System.nanoTime() - start > LIMIT_MILLIS * 1_000_000L) {
                throw new IOException("no completion of " + wrId);
            } else {
                Thread.yield();
            }
        }
    }

    /** By the queue of a passive endpoint. */
    private @Nullable IbvWC poll() throws IOException {
        IbvWC[] into = {new IbvWC()};
        return endpoint.getCqProvider().getCQ().poll(into, 1).execute().free().getPolls() == 1 ? into[0] : null;
    }

    void close() throws Exception {
        send.free();
        receive.free();
        endpoint.close();
        endpoint.deregisterMemory(mr);
        if (!(endpoint instanceof Active)) {
            endpoint.getCqProvider().close(); // the channel, which is in use, and then the queue
        }
    }

    /** An endpoint of any of the groups. */
    interface Echo {
        EchoEndpoint echo();
    }

    /** Told of its completions by a thread of its group. */
    static final class Active extends RdmaActiveEndpoint implements Echo {
        private @Nullable EchoEndpoint echo;

        Active(RdmaActiveEndpointGroup<Active> group, RdmaCmId id, boolean serverSide) throws IOException {
            super(group, id, serverSide);
        }

        @Override
        protected synchronized void init() throws IOException {
            echo = new EchoEndpoint(this);
        }

        @Override
        public void dispatchCqEvent(IbvWC wc) {
            echo().completions.add(wc.clone());
        }

        @Override
        public EchoEndpoint echo() {
            return Objects.requireNonNull(echo, "no queue pair yet");
        }
    }

    /** Polls for its completions. */
    static final class Passive extends RdmaEndpoint implements Echo {
        private @Nullable EchoEndpoint echo;

        Passive(RdmaEndpointGroup<Passive> group, RdmaCmId id, boolean serverSide) throws IOException {
            super(group, id, serverSide);
        }

        @Override
        protected synchronized void init() throws IOException {
            echo = new EchoEndpoint(this);
        }

        @Override
        public EchoEndpoint echo() {
            return Objects.requireNonNull(echo, "no queue pair yet");
        }
    }
}
