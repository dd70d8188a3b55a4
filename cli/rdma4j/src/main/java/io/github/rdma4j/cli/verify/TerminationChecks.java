// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static io.github.rdma4j.cli.verify.Check.CheckFailedException.expect;
import static io.github.rdma4j.cli.verify.Check.LeftOutException.leaveOutIf;

import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.util.List;

/**
 * Checks of work requests that must fail on iWARP. The peer answers a bad request with a Terminate message, which ends
 * the connection (RFC 5040, 4.8) and identifies no request: a write or a send may succeed for its sender, because its
 * bytes were sent. Each side detects the end of the connection by a flushed receive; the queried state differs between
 * drivers.
 */
final class TerminationChecks {
    private static final int BAD_KEY = 0x100;
    private static final int BYTES = 64;
    private static final int MORE = 10;
    private static final long LAST = 99;

    private static final Wire.Setup RC = Wire.Setup.of(QueuePairType.RC);

    private TerminationChecks() {}

    static List<Check> all() {
        return List.of(
                Check.of("errors: RDMA write with a bad rkey", RC, wire -> write(wire, 0, BAD_KEY)),
                Check.of("errors: RDMA write beyond the memory region", RC, TerminationChecks::beyond),
                Check.of("errors: RDMA read with a bad rkey", RC, TerminationChecks::read),
                Check.of("errors: a message longer than the receive", RC, TerminationChecks::tooLong),
                Check.of("errors: the peer's queue pair is gone", RC, TerminationChecks::noPeer),
                Check.of("errors: receives are flushed, in order", RC, TerminationChecks::flush));
    }

    private static String beyond(Wire wire) throws Exception {
        return write(wire, wire.server.region.length() - BYTES + 1, 0);
    }

    private static String write(Wire wire, long offset, int key) throws Exception {
        MemoryRegion region = wire.server.region;
        wire.prepare(1);
        watch(wire.client, wire.server);
        wire.client.post(wire.client.request(1, BYTES).rdmaWrite(region.iova() + offset, region.rkey() + key));
        String end = ended(wire);
        wire.server.expectBytes(wire.client, 0, 0);
        return end;
    }

    private static String read(Wire wire) throws Exception {
        leaveOutIf(wire.card.isSoftIwarp(), "not on this device: soft-iWARP does not answer such a read at all");
        MemoryRegion region = wire.server.region;
        wire.client.clear();
        wire.server.fill(1);
        watch(wire.client, wire.server);
        wire.client.post(wire.client.request(1, BYTES).rdmaRead(region.iova(), region.rkey() + BAD_KEY));
        WorkCompletion completion = wire.client.completion();
        expect(!completion.isSuccess(), "the read succeeded");
        String status = completion.statusName();
        String end = ended(wire);
        wire.client.expectBytes(wire.server, 0, 0);
        return status + ", " + end;
    }

    private static String tooLong(Wire wire) throws Exception {
        wire.prepare(1);
        wire.server.receive(2, 0, BYTES - 1);
        watch(wire.client, wire.server);
        wire.client.send(1, BYTES);
        WorkCompletion completion = wire.server.completion();
        expect(!completion.isSuccess(), "the message was received");
        expect("wr_id", completion.wrId(), 2L);
        String status = completion.statusName();
        return status + ", " + ended(wire);
    }

    private static String noPeer(Wire wire) throws Exception {
        watch(wire.client);
        wire.server.qp.close();
        ended(wire.client);
        return "flushed";
    }

    private static String flush(Wire wire) throws Exception {
        MemoryRegion region = wire.server.region;
        for (int i = 0; i < MORE; i++) {
            wire.client.receive(i, 0, BYTES);
        }
        wire.client.post(wire.client
                .request(MORE, BYTES)
                .rdmaWrite(region.iova(), region.rkey() + BAD_KEY)
                .unsignaled());
        for (int i = 0; i < MORE; ) {
            WorkCompletion completion = wire.client.completion();
            expect("the status", completion.statusName(), "WR_FLUSH_ERR");
            if (completion.wrId() != MORE) { // the write, if it was not sent
                expect("wr_id", completion.wrId(), (long) i);
                i++;
            }
        }
        return MORE + " flushed";
    }

    /** Posts the receives by which {@code sides} detect the end. */
    private static void watch(Side... sides) throws Exception {
        for (Side side : sides) {
            side.receive(LAST, 0, BYTES);
        }
    }

    private static String ended(Wire wire) throws Exception {
        ended(wire.client);
        ended(wire.server);
        return "the connection ended";
    }

    private static void ended(Side side) throws Exception {
        WorkCompletion completion = side.completion();
        while (completion.wrId() != LAST) {
            completion = side.completion();
        }
        expect("the status", completion.statusName(), "WR_FLUSH_ERR");
    }
}
