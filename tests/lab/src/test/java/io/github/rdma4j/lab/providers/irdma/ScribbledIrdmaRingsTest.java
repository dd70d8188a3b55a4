// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.irdma;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Completion;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCq;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQp;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.lab.providers.script.CapturedRequest;
import io.github.rdma4j.lab.providers.script.Scribbles;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Rings of irdma in which every byte may be anything, shadow areas among them: posts and polls throw nothing, and each posted
 * request completes at most once.
 */
class ScribbledIrdmaRingsTest {
    private static final int ROUNDS = 10_000;
    private static final int WANTED = 31;
    private static final int FIRST_QPN = 0x100;

    private final PlayedIrdma device = new PlayedIrdma(IrdmaDriver.ROCE);
    private final List<QueueRings> pairs = new ArrayList<>();
    private final List<Long> contexts = new ArrayList<>();

    private static ByteBuffer reply(Creation<?, ?> creation) {
        return ByteBuffer.allocate(creation.replyBytes()).order(ByteOrder.nativeOrder());
    }

    private CompletionRing completions(DriverContext context, Scribbles scribbles) throws RdmaException {
        int entries = context.entriesToRequest(WANTED);
        Creation<Created.Cq, CompletionRing> creation = context.completionQueue(entries);
        CapturedRequest request = CapturedRequest.of(creation);
        scribbles.add(request.memory(CreateCq.USER_CQ_BUF).slice(0, entries * Elements.QUANTUM));
        scribbles.add(request.memory(CreateCq.USER_SHADOW_AREA).slice(0, Elements.Shadow.BYTES));
        ByteBuffer reply = reply(creation);
        device.answerCq(reply, 0x400, entries);
        return creation.finish(new Created.Cq(1, entries, reply));
    }

    private void makePair(DriverContext context, CompletionRing cq, Scribbles scribbles) throws RdmaException {
        QpCap cap = context.capacitiesToRequest(new QpCap(4, 4, 1, 1, 0));
        Creation<Created.Qp, QueueRings> creation =
                context.queuePair(new QueuePairRequest(QueuePairType.RC, cap, true, cq, cq, null));
        CapturedRequest request = CapturedRequest.of(creation);
        scribbles.add(request.memory(CreateQp.USER_WQE_BUFS));
        contexts.add(request.getLong(CreateQp.USER_COMPL_CTX));
        int number = FIRST_QPN + pairs.size();
        ByteBuffer reply = reply(creation);
        device.answerQp(reply, number, cap);
        pairs.add(creation.finish(new Created.Qp(1, number, cap, reply)));
    }

    @ParameterizedTest
    @Seeds
    void completeNothingTwiceAndNothingThatWasNotPosted(long seed) throws Exception {
        Random random = new Random(seed);
        Scribbles scribbles =
                new Scribbles(random, Integer.MAX_VALUE, () -> device.device().takeStores());
        Creation<ByteBuffer, DriverContext> opening = device.provider().context(device.device());
        DriverContext context = opening.finish(device.contextReply());
        CompletionRing cq = completions(context, scribbles);
        makePair(context, cq, scribbles);
        makePair(context, cq, scribbles);
        for (int round = 0; round < ROUNDS; round++) {
            scribbles.scribble();
            for (int i = 0; i < pairs.size(); i++) {
                scribbles.postReceives(requireNonNull(pairs.get(i).receive()), 2 * i);
                scribbles.postSends(pairs.get(i), 2 * i + 1);
            }
            scribbles.scribble();
            nameRequests(random, scribbles);
            scribbles.poll(cq, random.nextInt(2 * WANTED));
            if (round == ROUNDS / 2) {
                pairs.get(1).fail();
            }
        }
        assertThat(scribbles.completed()).as("completions, seed %d", seed).isGreaterThan(ROUNDS / 50);
    }

    /** Entries that name a queue pair and a request near those that wait: any bytes at all would rarely do. */
    private void nameRequests(Random random, Scribbles scribbles) {
        ByteBuffer ring = scribbles.first().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < ring.capacity(); at += Elements.QUANTUM) {
            int queue = random.nextInt(scribbles.queues());
            long index = scribbles.near(queue) & 0x1ff;
            long anything = random.nextLong();
            long kept = random.nextInt(4) == 0 ? anything : anything & ~(Completion.ERROR | Completion.EXTENDED);
            long named = (kept & ~((long) Completion.INDEX_MASK << Completion.INDEX_SHIFT | Completion.SEND))
                    | index << Completion.INDEX_SHIFT
                    | (queue % 2 == 0 ? 0 : Completion.SEND);
            ring.putLong(at + Completion.CONTEXT_WORD * Long.BYTES, contexts.get(queue / 2));
            ring.putLong(at + Completion.HEADER_WORD * Long.BYTES, named);
        }
    }
}
