// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCq;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ScribbledQueues;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/** Rings of irdma, shadow areas among them. */
abstract class ScribbledIrdmaQueues extends ScribbledQueues {
    private final int entryBytes;

    ScribbledIrdmaQueues(IrdmaMode mode, int entryBytes) {
        super(mode, ByteOrder.LITTLE_ENDIAN, entryBytes);
        this.entryBytes = entryBytes;
    }

    @Override
    protected List<ByteBuffer> memoryOfCq(CapturedRequest request, int entries) {
        return List.of(
                request.memory(CreateCq.USER_CQ_BUF).slice(0, entries * entryBytes),
                request.memory(CreateCq.USER_SHADOW_AREA).slice(0, Elements.Shadow.BYTES));
    }

    @Override
    protected ByteBuffer memoryOfQp(CapturedRequest request) {
        return request.memory(CreateQp.USER_WQE_BUFS);
    }

    @Override
    protected void name(ByteBuffer ring, int at, Waiting request, Random random) {
        long anything = random.nextLong();
        long kept = random.nextInt(4) == 0 ? anything : anything & ~(Completion.ERROR | Completion.EXTENDED);
        long named = (kept & ~((long) Completion.INDEX_MASK << Completion.INDEX_SHIFT | Completion.SEND))
                | (long) (request.near() & 0x1ff) << Completion.INDEX_SHIFT
                | (request.sent() ? Completion.SEND : 0);
        ring.putLong(at + Completion.CONTEXT_WORD * Long.BYTES, request.made().getLong(CreateQp.USER_COMPL_CTX));
        ring.putLong(at + Completion.HEADER_WORD * Long.BYTES, named);
    }

    @Override
    protected void between(int round, CompletionRing cq, List<QueueRings> queues) {
        if (round == ROUNDS / 2) {
            queues.get(1).fail();
        }
    }
}
