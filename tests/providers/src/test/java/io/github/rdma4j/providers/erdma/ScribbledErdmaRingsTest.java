// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.erdma;

import io.github.rdma4j.internal.erdma.Elements;
import io.github.rdma4j.internal.erdma.Elements.Completion;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ScribbledQueues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** Rings of erdma, doorbell records among them. */
class ScribbledErdmaRingsTest extends ScribbledQueues {
    ScribbledErdmaRingsTest() {
        super(ErdmaDriver.SHARED, ByteOrder.BIG_ENDIAN, Elements.BLOCK);
    }

    @Override
    protected List<ByteBuffer> memoryOfCq(CapturedRequest request, int entries) {
        return List.of(
                request.memory(CreateQp.QBUF_VA),
                request.memory(CreateQp.DB_RECORD_VA).slice(0, Long.BYTES));
    }

    @Override
    protected ByteBuffer memoryOfQp(CapturedRequest request) {
        return request.memory(CreateQp.QBUF_VA);
    }

    @Override
    protected void name(ByteBuffer ring, int at, Waiting request, Random random) {
        ring.putInt(at + Completion.QPN, request.qpn());
        ring.putInt(at + Completion.INDEX, request.near());
        ring.putInt(at + Completion.HEADER, (random.nextInt() & ~0xff00) | (request.sent() ? 0 : 0x100));
    }

    @Override
    protected void between(int round, CompletionRing cq, List<QueueRings> queues) {
        if (round == ROUNDS / 2) {
            queues.get(1).fail();
        }
    }
}
