// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Two queue pairs of a driver on one completion queue, in whose memory every byte may be anything: posts and polls throw nothing, and
 * each posted request completes at most once. If the device has shared receive queues, the second queue pair takes from one.
 */
public abstract class ScribbledQueues {
    protected static final int ROUNDS = 10_000;

    private static final int WANTED = 31;
    private static final int FIRST_QPN = 0x100;
    private static final int RECEIVES = 4;

    private final PlayedDriver device;
    private final ByteOrder order;
    private final int entryBytes;
    private final List<QueueRings> pairs = new ArrayList<>();
    private final List<CapturedRequest> requests = new ArrayList<>();

    /** Queues of a device, and what an entry of its completion queues is like. */
    protected ScribbledQueues(Mode mode, ByteOrder order, int entryBytes) {
        this.device = mode.open();
        this.order = order;
        this.entryBytes = entryBytes;
    }

    /**
     * A request near those that wait, for an entry to name: any bytes at all would rarely do so.
     *
     * @param sent whether the request is a send
     * @param qpn the number of its queue pair
     * @param made the request that made the queue pair
     * @param near the number of a request near those that wait; of a shared receive queue, any of its elements
     * @param shared whether the request is a receive of the shared receive queue
     */
    public record Waiting(boolean sent, int qpn, CapturedRequest made, int near, boolean shared) {}

    /** Whether the device has shared receive queues, whose memory is the first of the driver's request. */
    protected boolean hasSharedReceives() {
        return false;
    }

    /** The memory that a completion queue and the device share; the ring comes first. */
    protected abstract List<ByteBuffer> memoryOfCq(CapturedRequest request, int entries);

    /** The memory that a queue pair and the device share. */
    protected abstract ByteBuffer memoryOfQp(CapturedRequest request);

    /** Names a request in the entry at {@code at}, and leaves the rest of the entry as it is or anything else. */
    protected abstract void name(ByteBuffer ring, int at, Waiting request, Random random);

    /** What comes between two rounds. */
    protected void between(int round, CompletionRing cq, List<QueueRings> queues) {}

    private static ByteBuffer reply(Creation<?, ?> creation) {
        return ByteBuffer.allocate(creation.replyBytes()).order(ByteOrder.nativeOrder());
    }

    private CompletionRing completions(DriverContext context, Scribbles scribbles) throws RdmaException {
        int entries = context.entriesToRequest(WANTED);
        Creation<Created.Cq, CompletionRing> creation = context.completionQueue(entries);
        memoryOfCq(CapturedRequest.of(creation), entries).forEach(scribbles::add);
        ByteBuffer reply = reply(creation);
        device.answerCq(reply, 0x400, entries);
        return creation.finish(new Created.Cq(1, entries, reply));
    }

    private SharedReceiveRing shared(DriverContext context, Scribbles scribbles) throws RdmaException {
        Creation<Created.Srq, SharedReceiveRing> creation = context.sharedReceiveQueue(RECEIVES, 1);
        scribbles.add(CapturedRequest.of(creation).memory(0));
        ByteBuffer reply = reply(creation);
        device.answerSrq(reply, 0x40, RECEIVES, 1);
        int granted = device.grantedReceives(context.receivesToRequest(RECEIVES));
        return creation.finish(new Created.Srq(1, 0x40, granted, 1, reply));
    }

    private void makePair(
            DriverContext context, CompletionRing cq, @Nullable SharedReceiveRing srq, Scribbles scribbles)
            throws RdmaException {
        QpCap cap = context.capacitiesToRequest(
                srq == null ? new QpCap(RECEIVES, RECEIVES, 1, 1, 0) : new QpCap(RECEIVES, 0, 1, 0, 0));
        Creation<Created.Qp, QueueRings> creation =
                context.queuePair(new QueuePairRequest(QueuePairType.RC, cap, true, cq, cq, srq));
        CapturedRequest request = CapturedRequest.of(creation);
        scribbles.add(memoryOfQp(request));
        requests.add(request);
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
        SharedReceiveRing srq = hasSharedReceives() ? shared(context, scribbles) : null;
        makePair(context, cq, null, scribbles);
        makePair(context, cq, srq, scribbles);
        for (int round = 0; round < ROUNDS; round++) {
            scribbles.scribble();
            for (int i = 0; i < pairs.size(); i++) {
                ReceiveRing own = pairs.get(i).receive();
                scribbles.postReceives(own != null ? own : requireNonNull(srq), 2 * i);
                scribbles.postSends(pairs.get(i), 2 * i + 1);
            }
            scribbles.scribble();
            nameRequests(random, scribbles);
            scribbles.poll(cq, random.nextInt(2 * WANTED));
            between(round, cq, pairs);
        }
        assertThat(scribbles.completed()).as("completions, seed %d", seed).isGreaterThan(ROUNDS / 50);
    }

    private void nameRequests(Random random, Scribbles scribbles) {
        ByteBuffer ring = scribbles.first().duplicate().order(order);
        for (int at = 0; at + entryBytes <= ring.capacity(); at += entryBytes) {
            int queue = random.nextInt(scribbles.queues());
            int pair = queue / 2;
            boolean shared = queue == 2 && hasSharedReceives();
            int near = shared ? random.nextInt(2 * RECEIVES) : scribbles.near(queue);
            Waiting request = new Waiting(queue % 2 != 0, FIRST_QPN + pair, requests.get(pair), near, shared);
            name(ring, at, request, random);
        }
    }
}
