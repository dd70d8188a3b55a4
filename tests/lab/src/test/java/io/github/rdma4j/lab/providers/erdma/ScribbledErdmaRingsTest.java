// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.erdma;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.erdma.Elements.Completion;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQp;
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
 * Rings of erdma in which every byte may be anything, doorbell records among them: posts and polls throw nothing, and each posted
 * request completes at most once.
 */
class ScribbledErdmaRingsTest {
    private static final int ROUNDS = 10_000;
    private static final int ENTRIES = 64;
    private static final int ENTRY = 32;
    private static final int FIRST_QPN = 0x100;
    private static final QpCap CAP = new QpCap(4, 4, 1, 1, 0);

    private final PlayedErdma device = new PlayedErdma(ErdmaDriver.SHARED);
    private final List<QueueRings> pairs = new ArrayList<>();

    private static ByteBuffer reply(Creation<?, ?> creation) {
        return ByteBuffer.allocate(creation.replyBytes()).order(ByteOrder.nativeOrder());
    }

    private CompletionRing completions(DriverContext context, Scribbles scribbles) throws RdmaException {
        Creation<Created.Cq, CompletionRing> creation = context.completionQueue(ENTRIES);
        CapturedRequest request = CapturedRequest.of(creation);
        scribbles.add(request.memory(CreateQp.QBUF_VA));
        scribbles.add(request.memory(CreateQp.DB_RECORD_VA).slice(0, Long.BYTES));
        ByteBuffer reply = reply(creation);
        device.answerCq(reply, 0x400, ENTRIES);
        return creation.finish(new Created.Cq(1, ENTRIES, reply));
    }

    private void makePair(DriverContext context, CompletionRing cq, Scribbles scribbles) throws RdmaException {
        Creation<Created.Qp, QueueRings> creation =
                context.queuePair(new QueuePairRequest(QueuePairType.RC, CAP, true, cq, cq, null));
        scribbles.add(CapturedRequest.of(creation).memory(CreateQp.QBUF_VA));
        int number = FIRST_QPN + pairs.size();
        ByteBuffer reply = reply(creation);
        device.answerQp(reply, number, CAP);
        pairs.add(creation.finish(new Created.Qp(1, number, CAP, reply)));
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
            scribbles.poll(cq, random.nextInt(2 * ENTRIES));
            if (round == ROUNDS / 2) {
                pairs.get(1).fail();
            }
        }
        assertThat(scribbles.completed()).as("completions, seed %d", seed).isGreaterThan(ROUNDS / 50);
    }

    /** Entries that name a queue pair and a request near those that wait: any bytes at all would rarely do. */
    private void nameRequests(Random random, Scribbles scribbles) {
        ByteBuffer ring = scribbles.first();
        for (int entry = 0; entry < ENTRIES; entry++) {
            int at = entry * ENTRY;
            int queue = random.nextInt(scribbles.queues());
            ring.putInt(at + Completion.QPN, FIRST_QPN + queue / 2);
            ring.putInt(at + Completion.INDEX, scribbles.near(queue));
            ring.putInt(at + Completion.HEADER, (random.nextInt() & ~0xff00) | (queue % 2 == 0 ? 0x100 : 0));
        }
    }
}
