// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import static io.github.rdma4j.it.disni.Lines.show;
import static io.github.rdma4j.it.disni.Lines.step;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import io.github.rdma4j.it.support.LeastAllocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** The part of {@link DisniCalls} that sends. The server has twelve receives, numbered from 200. */
final class DisniMessages {
    private static final int SIGNALED = IbvSendWR.IBV_SEND_SIGNALED;
    private static final int INLINE = SIGNALED | IbvSendWR.IBV_SEND_INLINE;
    private static final int LAST_SLOT = Peer.BYTES - Peer.SLOT;

    private final Peer client;
    private final Peer server;

    DisniMessages(Peer client, Peer server) {
        this.client = client;
        this.server = server;
    }

    void run() throws Exception {
        for (int i = 0; i < Peer.SLOT; i++) {
            client.buffer.put(i, (byte) i);
        }
        messages();
        inline();
        memory();
        prepared();
        allocation();
        notifications();
        limits();
        failures();
    }

    private String both(int sent, int received) throws IOException {
        return client.completions(sent) + server.completions(received);
    }

    private void messages() {
        show("send", () -> client.post(client.send(1, 10)) + both(1, 1));
        show("unsignaled and signaled", () -> {
            IbvSendWR quiet = Peer.request(2, IbvSendWR.IBV_WR_SEND, 0, client.piece(0, 1));
            return client.post(quiet, client.send(3, 2)) + both(1, 2);
        });
        show("immediate", () -> {
            IbvSendWR request = Peer.request(4, IbvSendWR.IBV_WR_SEND_WITH_IMM, SIGNALED, client.piece(0, 3));
            request.setImm_data(0x0102_0304);
            return client.post(request) + both(1, 1);
        });
        show("no bytes", () -> client.post(Peer.request(5, IbvSendWR.IBV_WR_SEND, SIGNALED)) + both(1, 1));
        show("a piece of no bytes", () -> {
            IbvSendWR request =
                    Peer.request(6, IbvSendWR.IBV_WR_SEND, SIGNALED, Peer.piece(0, 0, 0), client.piece(5, 1));
            return client.post(request) + both(1, 1) + " " + server.buffer.get(5 * Peer.SLOT);
        });
        show("four pieces where one was asked for", () -> {
            IbvSge[] pieces = new IbvSge[4];
            Arrays.setAll(pieces, i -> client.piece(10 * i, 1));
            return client.post(Peer.request(7, IbvSendWR.IBV_WR_SEND, SIGNALED, pieces)) + both(1, 1) + " "
                    + server.buffer.get(6 * Peer.SLOT + 1) + " " + server.buffer.get(6 * Peer.SLOT + 3);
        });
        step("forty pieces", () -> {
            IbvSge[] pieces = new IbvSge[40];
            Arrays.setAll(pieces, i -> client.piece(0, 1));
            client.post(Peer.request(8, IbvSendWR.IBV_WR_SEND, SIGNALED, pieces));
        });
    }

    private void inline() {
        ByteBuffer loose = ByteBuffer.allocateDirect(64).put(0, (byte) 77).put(40, (byte) 78);
        long start = MemoryUtils.getAddress(loose);
        show("inline of unregistered memory", () -> {
            IbvSendWR request = Peer.request(
                    9, IbvSendWR.IBV_WR_SEND, INLINE, Peer.piece(start, 16, 0), Peer.piece(start + 40, 1, 0));
            return client.post(request) + both(1, 1) + " " + server.buffer.get(7 * Peer.SLOT) + " "
                    + server.buffer.get(7 * Peer.SLOT + 16);
        });
        step(
                "inline of too many bytes",
                () -> client.post(
                        Peer.request(10, IbvSendWR.IBV_WR_SEND, INLINE, Peer.piece(client.mr.getAddr(), 4000, 0))));
        show("inline prepared, with other bytes", () -> {
            SVCPostSend call = client.qp.postSend(
                    List.of(Peer.request(11, IbvSendWR.IBV_WR_SEND, INLINE, Peer.piece(start, 1, 0))), null);
            call.execute();
            loose.put(0, (byte) 79);
            call.execute();
            return both(2, 2) + " " + server.buffer.get(8 * Peer.SLOT) + " " + server.buffer.get(9 * Peer.SLOT);
        });
    }

    private void memory() {
        show("write", () -> {
            IbvSendWR request = client.remote(20, IbvSendWR.IBV_WR_RDMA_WRITE, server, client.piece(0, 100));
            return client.post(request) + client.completions(1) + " " + server.buffer.get(LAST_SLOT + 5);
        });
        show("write with immediate", () -> {
            IbvSendWR request = client.remote(21, IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, server, client.piece(0, 100));
            request.setImm_data(0x1122_3344);
            return client.post(request) + both(1, 1);
        });
        show("read", () -> {
            IbvSendWR request = client.remote(22, IbvSendWR.IBV_WR_RDMA_READ, server, client.piece(2 * Peer.SLOT, 100));
            return client.post(request) + client.completions(1) + " " + client.buffer.get(2 * Peer.SLOT + 5);
        });
    }

    /** Made without memory, as Crail does, and given it later. */
    private void prepared() {
        show("prepared", () -> {
            IbvSendWR request = Peer.request(23, IbvSendWR.IBV_WR_RDMA_READ, SIGNALED, Peer.piece(0, 0, 0));
            SVCPostSend call = client.qp.postSend(List.of(request), null);
            SVCPostSend.SendWRMod wr = call.getWrMod(0);
            wr.setWr_id(24);
            wr.getRdmaMod().setRemote_addr(server.mr.getAddr() + LAST_SLOT + 1);
            wr.getRdmaMod().setRkey(server.mr.getRkey());
            wr.getSgeMod(0).setAddr(client.mr.getAddr() + 9000);
            wr.getSgeMod(0).setLength(4);
            wr.getSgeMod(0).setLkey(client.mr.getLkey());
            call.execute();
            String result = client.completions(1) + " " + client.buffer.get(9000);
            wr.getSgeMod(0).setAddr(client.mr.getAddr() + 9100);
            call.execute();
            result += client.completions(1) + " " + client.buffer.get(9100);
            boolean valid = call.isValid();
            call.free();
            return result + " " + wr.getNum_sge() + " " + wr.getOpcode() + " " + valid + " " + call.isValid();
        });
    }

    /** A request with another address each time, and its completion. */
    private void allocation() {
        show("bytes that prepared calls allocate", () -> {
            LeastAllocation allocation = new LeastAllocation();
            SVCPostSend call = client.qp.postSend(
                    List.of(client.remote(25, IbvSendWR.IBV_WR_RDMA_WRITE, server, client.piece(0, 64))), null);
            IbvWC[] into = {new IbvWC()};
            SVCPollCq poll = client.cq.poll(into, 1);
            long start = client.mr.getAddr();
            int offset = 0;
            do {
                call.getWrMod(0).getSgeMod(0).setAddr(start + offset);
                offset = (offset + 64) % Peer.SLOT;
                call.execute();
                while (polls(poll) == 0) {
                    Thread.onSpinWait();
                }
            } while (allocation.goesOn());
            return allocation.bytes();
        });
    }

    private void notifications() {
        show("notification", () -> {
            server.cq.reqNotification(false).execute().free();
            boolean before = server.channel.getCqEvent(server.cq, 100);
            client.post(client.send(30, 1));
            boolean after = server.channel.getCqEvent(server.cq, 3000);
            boolean second = server.channel.getCqEvent(server.cq, 100);
            return before + " " + after + " " + second + " " + server.cq.ackEvents(1) + both(1, 1);
        });
        show("solicited only, plain send", () -> {
            server.receive(300, server.piece(0, Peer.SLOT));
            server.receive(301, server.piece(0, Peer.SLOT));
            server.cq.reqNotification(true).execute().free();
            client.post(client.send(31, 1));
            return both(1, 1) + " " + server.channel.getCqEvent(server.cq, 300);
        });
        show("solicited only, solicited send", () -> {
            client.post(Peer.request(
                    32, IbvSendWR.IBV_WR_SEND, SIGNALED | IbvSendWR.IBV_SEND_SOLICITED, client.piece(0, 1)));
            return both(1, 1) + " " + server.channel.getCqEvent(server.cq, 3000);
        });
        Thread.currentThread().interrupt();
        show("wait interrupted", () -> server.channel.getCqEvent(server.cq, 100) + " " + Thread.interrupted());
    }

    private void limits() throws Exception {
        show("fewer than the list has", () -> {
            for (int i = 0; i < 3; i++) {
                client.post(Peer.request(40 + i, IbvSendWR.IBV_WR_RDMA_WRITE, SIGNALED));
            }
            IbvWC[] into = new IbvWC[3];
            Arrays.setAll(into, i -> new IbvWC());
            SVCPollCq two = client.cq.poll(into, 2);
            SVCPollCq three = client.cq.poll(into, 3);
            int first = polls(two);
            while (first < 2) {
                first += polls(client.cq.poll(into, 1));
            }
            int rest = polls(three);
            while (rest == 0) {
                rest = polls(three);
            }
            return first + " " + rest;
        });
        step("send queue overfull", () -> {
            IbvSendWR[] requests = new IbvSendWR[2000];
            Arrays.setAll(requests, i -> Peer.request(1000 + i, IbvSendWR.IBV_WR_RDMA_WRITE, i == 0 ? SIGNALED : 0));
            client.post(requests);
        });
        show("send queue drained", () -> client.completions(1));
        step("receive queue overfull", () -> {
            for (int i = 0; i < 2000; i++) {
                server.receive(3000 + i, server.piece(0, 64));
            }
        });
        show("domain with a region deallocated", () -> {
            IbvPd pd = client.id.getVerbs().allocPd();
            IbvMr mr = pd.regMr(ByteBuffer.allocateDirect(64), IbvMr.IBV_ACCESS_LOCAL_WRITE)
                    .execute()
                    .getMr();
            int result = pd.deallocPd();
            mr.deregMr().execute();
            return result;
        });
    }

    private static int polls(SVCPollCq call) throws IOException {
        return call.execute().getPolls();
    }

    private void failures() {
        step(
                "unknown local key",
                () -> client.post(
                        Peer.request(49, IbvSendWR.IBV_WR_SEND, SIGNALED, Peer.piece(client.mr.getAddr(), 1, 0x7777))));
        show("message too long for its receive", () -> client.post(client.send(50, 16_384)) + client.completions(2));
        show("after the error", () -> client.post(client.send(51, 1)) + client.completions(1));
    }
}
