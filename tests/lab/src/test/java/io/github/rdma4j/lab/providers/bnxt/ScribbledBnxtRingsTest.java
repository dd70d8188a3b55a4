// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.bnxt;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQp;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
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

/** Rings of bnxt_re in which every byte may be anything: posts and polls throw nothing, and each posted request completes at most once. */
class ScribbledBnxtRingsTest {
    private static final int ROUNDS = 10_000;
    private static final int WANTED = 31;
    private static final int FIRST_QPN = 0x100;

    private final PlayedBnxt device = new PlayedBnxt(BnxtDriver.P7);
    private final List<QueueRings> pairs = new ArrayList<>();
    private final List<Long> handles = new ArrayList<>();

    private static ByteBuffer reply(Creation<?, ?> creation) {
        return ByteBuffer.allocate(creation.replyBytes()).order(ByteOrder.nativeOrder());
    }

    private CompletionRing completions(DriverContext context, Scribbles scribbles) throws RdmaException {
        int entries = context.entriesToRequest(WANTED);
        Creation<Created.Cq, CompletionRing> creation = context.completionQueue(entries);
        CapturedRequest request = CapturedRequest.of(creation);
        scribbles.add(request.memory(CreateCq.CQ_VA).slice(0, (entries + 1) * Entry.BYTES));
        ByteBuffer reply = reply(creation);
        device.answerCq(reply, 0x400, entries);
        return creation.finish(new Created.Cq(1, entries, reply));
    }

    private void makePair(DriverContext context, CompletionRing cq, Scribbles scribbles) throws RdmaException {
        QpCap cap = context.capacitiesToRequest(new QpCap(4, 4, 1, 1, 0));
        Creation<Created.Qp, QueueRings> creation =
                context.queuePair(new QueuePairRequest(QueuePairType.RC, cap, true, cq, cq, null));
        CapturedRequest request = CapturedRequest.of(creation);
        scribbles.add(request.memory(CreateQp.QPSVA));
        handles.add(request.getLong(CreateQp.QP_HANDLE));
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
            if (round % 100 == 0) {
                // The entry by which the device leaves the ring ends the polls.
                pairs.forEach(cq::forget);
            }
        }
        assertThat(scribbles.completed()).as("completions, seed %d", seed).isGreaterThan(ROUNDS / 50);
    }

    /** Entries that name a queue pair and a request near those that wait: any bytes at all would rarely do. */
    private void nameRequests(Random random, Scribbles scribbles) {
        ByteBuffer ring = scribbles.first().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < ring.capacity(); at += Entry.BYTES) {
            int queue = random.nextInt(scribbles.queues());
            boolean received = queue % 2 == 0;
            long handle = handles.get(queue / 2);
            int kind = random.nextInt(16) == 0 ? random.nextInt(Entry.CUT_OFF) : received ? Entry.RECEIVE : Entry.SEND;
            long last = random.nextLong() & ~((long) Entry.KIND_MASK << Entry.KIND_SHIFT | 0xff << Entry.STATUS_SHIFT);
            int status = random.nextInt(20) == 0 ? random.nextInt(16) : 0;
            ring.putLong(at + (received ? 8 : 0), handle);
            ring.putLong(at + (received ? 0 : 8), scribbles.near(queue) & 0xffff);
            ring.putLong(at + 24, last | (long) kind << Entry.KIND_SHIFT | (long) status << Entry.STATUS_SHIFT);
        }
    }
}
