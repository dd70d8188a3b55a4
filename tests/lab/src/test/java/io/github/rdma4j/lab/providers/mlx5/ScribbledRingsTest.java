// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.mlx5;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCqResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQpResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateSrqResp;
import io.github.rdma4j.internal.mlx5.Mlx5Provider;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Rings of ConnectX in which every byte may be anything, entries of completion queues, links of shared receive queues and
 * doorbell records among them: posts and polls throw nothing, and each posted request completes at most once.
 */
class ScribbledRingsTest {
    private static final int ROUNDS = 10_000;
    private static final int ENTRIES = 15;
    private static final QpCap CAP = new QpCap(4, 4, 1, 1, 0);

    private final Mlx5Mode mode = Mlx5Driver.ROCE;
    private final Mlx5ScriptDevice device = new Mlx5ScriptDevice(mode);
    private final List<Integer> numbers = new ArrayList<>();

    private static ByteBuffer reply(Creation<?, ?> creation) {
        return ByteBuffer.allocate(creation.replyBytes()).order(ByteOrder.nativeOrder());
    }

    private CompletionRing completions(DriverContext context, Scribbles scribbles) throws RdmaException {
        Creation<Created.Cq, CompletionRing> creation = context.completionQueue(context.entriesToRequest(ENTRIES));
        scribbles.add(CapturedRequest.of(creation).memory(0));
        ByteBuffer reply = reply(creation).putInt(CreateCqResp.CQN, 0x400);
        return creation.finish(new Created.Cq(1, ENTRIES, reply));
    }

    private SharedReceiveRing shared(DriverContext context, Scribbles scribbles) throws RdmaException {
        Creation<Created.Srq, SharedReceiveRing> creation = context.sharedReceiveQueue(4, 1);
        scribbles.add(CapturedRequest.of(creation).memory(0));
        ByteBuffer reply = reply(creation).putInt(CreateSrqResp.SRQN, 0x40);
        return creation.finish(new Created.Srq(1, 0x40, context.receivesToRequest(4), 1, reply));
    }

    private QueueRings pair(
            DriverContext context, CompletionRing cq, @Nullable SharedReceiveRing srq, Scribbles scribbles)
            throws RdmaException {
        Creation<Created.Qp, QueueRings> creation =
                context.queuePair(new QueuePairRequest(QueuePairType.RC, CAP, true, cq, cq, srq));
        CapturedRequest request = CapturedRequest.of(creation);
        scribbles.add(request.memory(0));
        numbers.add(request.getInt(CreateQp.UIDX));
        ByteBuffer reply = reply(creation).putInt(CreateQpResp.BFREG_INDEX, Integer.MIN_VALUE);
        return creation.finish(new Created.Qp(1, 0x100 + numbers.size(), CAP, reply));
    }

    @ParameterizedTest
    @Seeds
    void completeNothingTwiceAndNothingThatWasNotPosted(long seed) throws Exception {
        Random random = new Random(seed);
        Scribbles scribbles = new Scribbles(random, ENTRIES + 1, device::takeStores);
        Creation<ByteBuffer, DriverContext> opening = new Mlx5Provider().context(device);
        CapturedRequest.of(opening);
        DriverContext context = opening.finish(device.contextReply());
        CompletionRing cq = completions(context, scribbles);
        SharedReceiveRing srq = shared(context, scribbles);
        QueueRings own = pair(context, cq, null, scribbles);
        QueueRings sharing = pair(context, cq, srq, scribbles);
        for (int round = 0; round < ROUNDS; round++) {
            scribbles.scribble();
            scribbles.postReceives(srq, 0);
            scribbles.postReceives(requireNonNull(own.receive()), 1);
            scribbles.postSends(own, 2);
            scribbles.postSends(sharing, 3);
            scribbles.scribble();
            nameQueues(random, scribbles);
            scribbles.poll(cq, random.nextInt(2 * ENTRIES));
        }
        assertThat(scribbles.completed()).as("completions, seed %d", seed).isGreaterThan(ROUNDS / 50);
    }

    /** Entries that name a queue pair and a request near those that wait: any bytes at all would rarely do. */
    private void nameQueues(Random random, Scribbles scribbles) {
        ByteBuffer ring = scribbles.first();
        for (int entry = 0; entry <= ENTRIES; entry++) {
            int at = entry * Cqe64.BYTES;
            ring.putInt(at + Cqe64.SRQN_UIDX, numbers.get(random.nextInt(numbers.size())));
            ring.putInt(at + Cqe64.SOP_DROP_QPN, 10 << 24);
            ring.putShort(at + Cqe64.WQE_COUNTER, (short) counter(random, scribbles));
            ring.put(at + Cqe64.OP_OWN, (byte) random.nextInt());
        }
    }

    /** Near what one of the queues has posted last, an entry of the shared queue, or anything. */
    private int counter(Random random, Scribbles scribbles) {
        int kind = random.nextInt(scribbles.queues() + 2);
        if (kind < scribbles.queues()) {
            return scribbles.near(kind);
        }
        return random.nextInt(kind == scribbles.queues() ? 8 : 1 << 16);
    }
}
