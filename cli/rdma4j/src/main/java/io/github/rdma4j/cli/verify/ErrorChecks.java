// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;

import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;

/**
 * Checks of work requests that must fail, and of their statuses. Where two statuses are given, devices differ.
 */
final class ErrorChecks {
    private static final int BAD_KEY = 0x100;

    private static final Wire.Setup IMPATIENT = Wire.Setup.of(QueuePairType.RC).impatient();

    private ErrorChecks() {}

    static List<Check> all() {
        return List.of(
                Check.of("errors: RDMA write with a bad rkey", IMPATIENT, wire -> badKey(wire, false)),
                Check.of("errors: RDMA read with a bad rkey", IMPATIENT, wire -> badKey(wire, true)),
                Check.of("errors: RDMA write beyond the memory region", IMPATIENT, ErrorChecks::beyond),
                Check.of(
                        "errors: receive into memory that must not be written (bad lkey)",
                        IMPATIENT,
                        ErrorChecks::readOnly),
                Check.of("errors: a message longer than the receive", IMPATIENT, ErrorChecks::tooLong),
                Check.of("errors: no receive posted (RNR)", IMPATIENT, ErrorChecks::noReceive),
                Check.of("errors: the peer's queue pair is gone", IMPATIENT, ErrorChecks::noPeer),
                Check.of("errors: the rest is flushed, in order", IMPATIENT, ErrorChecks::flush),
                Check.of("errors: a reset queue pair works again", IMPATIENT, ErrorChecks::reset),
                Check.of(
                        "errors: a completion queue overflows",
                        Wire.Setup.of(QueuePairType.RC).cqEntries(1),
                        ErrorChecks::overflow));
    }

    private static SendWorkRequest badWrite(Wire wire) {
        MemoryRegion region = wire.server.region;
        return wire.client.request(1, 64).rdmaWrite(region.iova(), region.rkey() + BAD_KEY);
    }

    private static String badKey(Wire wire, boolean read) throws Exception {
        MemoryRegion region = wire.server.region;
        SendWorkRequest reading = wire.client.request(1, 64).rdmaRead(region.iova(), region.rkey() + BAD_KEY);
        wire.server.clear();
        wire.client.post(read ? reading : badWrite(wire));
        String status = wire.client.failure(1, "REM_ACCESS_ERR");
        wire.server.expectBytes(wire.client, 0, 0);
        return status;
    }

    private static String beyond(Wire wire) throws Exception {
        MemoryRegion region = wire.server.region;
        wire.client.post(wire.client.request(1, 64).rdmaWrite(region.iova() + region.length() - 63, region.rkey()));
        return wire.client.failure(1, "REM_ACCESS_ERR");
    }

    private static String readOnly(Wire wire) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        MemoryRegion region = wire.server.pd.registerMr(buffer, EnumSet.noneOf(Access.class));
        wire.server.qp.postReceive(new ReceiveWorkRequest(1).wrId(2).add(region, 0, 64));
        wire.client.fill(1);
        wire.client.send(1, 64);
        String sender = wire.client.failure(1, "REM_OP_ERR", "REM_ACCESS_ERR");
        String receiver = wire.server.failure(2, "LOC_PROT_ERR", "LOC_QP_OP_ERR");
        expect(buffer.equals(ByteBuffer.allocate(64)), "the memory was written");
        return sender + ", " + receiver;
    }

    private static String tooLong(Wire wire) throws Exception {
        wire.server.receive(2, 0, 63);
        wire.client.send(1, 64);
        String sender = wire.client.failure(1, "REM_INV_REQ_ERR", "REM_OP_ERR");
        return sender + ", " + wire.server.failure(2, "LOC_LEN_ERR", "LOC_QP_OP_ERR");
    }

    private static String noReceive(Wire wire) throws Exception {
        wire.client.send(1, 64);
        return wire.client.failure(1, "RNR_RETRY_EXC_ERR");
    }

    private static String noPeer(Wire wire) throws Exception {
        wire.server.qp.close();
        wire.client.send(1, 64);
        return wire.client.failure(1, "RETRY_EXC_ERR");
    }

    private static String flush(Wire wire) throws Exception {
        int more = 10;
        for (int i = 0; i < more; i++) {
            wire.client.receive(100 + i, 0, 64);
        }
        SendWorkRequest[] requests = new SendWorkRequest[1 + more];
        requests[0] = badWrite(wire);
        for (int i = 1; i <= more; i++) {
            SendWorkRequest request = wire.client.request(1 + i, 64).send();
            requests[i] = i % 2 == 0 ? request : request.unsignaled();
        }
        expect("number of requests posted", wire.client.qp.postSend(requests, 1 + more), 1 + more);
        wire.client.failure(1, "REM_ACCESS_ERR");
        flushed(wire.client, more);
        expect("the state", wire.client.qp.query().state(), QpState.ERR);
        wire.client.send(99, 64);
        wire.client.failure(99, "WR_FLUSH_ERR");
        return 2 * more + " flushed";
    }

    /** Expects flushed sends and receives, each in the order of posting. */
    private static void flushed(Side side, int ofEach) throws Check.CheckFailedException {
        long send = 2;
        long receive = 100;
        for (int i = 0; i < 2 * ofEach; i++) {
            WorkCompletion completion = side.completion();
            expect("the status", completion.statusName(), "WR_FLUSH_ERR");
            expect("wr_id", completion.wrId(), completion.wrId() >= 100 ? receive++ : send++);
        }
        side.expectNoCompletion();
    }

    private static String reset(Wire wire) throws Exception {
        wire.client.post(badWrite(wire));
        wire.client.failure(1, "REM_ACCESS_ERR");
        wire.server.receive(5, 0, 64);
        for (Side side : List.of(wire.client, wire.server)) {
            side.qp.modify(QpAttr.builder().state(QpState.RESET).build());
            side.drain();
        }
        wire.connect(wire.client.qp, wire.server.qp, true);
        wire.client.fill(3);
        wire.server.clear();
        wire.server.receive(2, 0, 64);
        wire.client.send(1, 64);
        wire.server.success(2);
        wire.client.success(1);
        wire.server.expectBytes(wire.client, 0, 64);
        return "";
    }

    private static String overflow(Wire wire) throws Exception {
        int tooMany = wire.server.cq.capacity() + 2;
        for (int i = 0; i < tooMany; i++) {
            wire.server.receive(i, 0, 8);
        }
        for (int i = 0; i < tooMany; i++) {
            wire.client.post(wire.client.request(i, 8).send().unsignaled());
        }
        expect("the event", wire.asyncEvent().type(), AsyncEventType.CQ_ERR);
        return "CQ_ERR";
    }
}
