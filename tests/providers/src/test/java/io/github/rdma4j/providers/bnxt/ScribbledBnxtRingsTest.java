// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQp;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ScribbledQueues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** Rings of bnxt_re. */
class ScribbledBnxtRingsTest extends ScribbledQueues {
    ScribbledBnxtRingsTest() {
        super(BnxtDriver.P7, ByteOrder.LITTLE_ENDIAN, Entry.BYTES);
    }

    @Override
    protected List<ByteBuffer> memoryOfCq(CapturedRequest request, int entries) {
        return List.of(request.memory(CreateCq.CQ_VA).slice(0, (entries + 1) * Entry.BYTES));
    }

    @Override
    protected ByteBuffer memoryOfQp(CapturedRequest request) {
        return request.memory(CreateQp.QPSVA);
    }

    @Override
    protected void name(ByteBuffer ring, int at, Waiting request, Random random) {
        boolean received = !request.sent();
        int kind = random.nextInt(16) == 0 ? random.nextInt(Entry.CUT_OFF) : received ? Entry.RECEIVE : Entry.SEND;
        long last = random.nextLong() & ~((long) Entry.KIND_MASK << Entry.KIND_SHIFT | 0xff << Entry.STATUS_SHIFT);
        int status = random.nextInt(20) == 0 ? random.nextInt(16) : 0;
        ring.putLong(at + (received ? 8 : 0), request.made().getLong(CreateQp.QP_HANDLE));
        ring.putLong(at + (received ? 0 : 8), request.near() & 0xffff);
        ring.putLong(at + 24, last | (long) kind << Entry.KIND_SHIFT | (long) status << Entry.STATUS_SHIFT);
    }

    /** The entry by which the device leaves the ring ends the polls. */
    @Override
    protected void between(int round, CompletionRing cq, List<QueueRings> queues) {
        if (round % 100 == 0) {
            queues.forEach(cq::forget);
        }
    }
}
