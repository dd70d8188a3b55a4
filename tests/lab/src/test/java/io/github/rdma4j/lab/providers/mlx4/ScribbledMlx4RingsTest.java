// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.mlx4;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
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
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Rings of ConnectX-3 in which every byte may be anything, entries of completion queues, links of shared receive queues, sizes
 * of send elements and doorbell records among them: posts and polls throw nothing, and each posted request completes at most
 * once.
 */
class ScribbledMlx4RingsTest {
    private static final int ROUNDS = 10_000;
    private static final int ENTRIES = 15;
    private static final int ENTRY = 64;
    private static final int FIRST_QPN = 0x100;
    private static final int RECEIVES = 8;
    private static final QpCap CAP = new QpCap(4, 4, 1, 1, 0);

    private final PlayedMlx4 device = new PlayedMlx4(Mlx4Driver.ROCE);
    private int pairs;

    private static ByteBuffer reply(Creation<?, ?> creation) {
        return ByteBuffer.allocate(creation.replyBytes()).order(ByteOrder.nativeOrder());
    }

    private CompletionRing completions(DriverContext context, Scribbles scribbles) throws RdmaException {
        Creation<Created.Cq, CompletionRing> creation = context.completionQueue(context.entriesToRequest(ENTRIES));
        CapturedRequest request = CapturedRequest.of(creation);
        scribbles.add(request.memory(0));
        scribbles.add(request.memory(Long.BYTES).slice(0, Long.BYTES));
        ByteBuffer reply = reply(creation);
        device.answerCq(reply, 0x400, ENTRIES);
        return creation.finish(new Created.Cq(1, ENTRIES, reply));
    }

    private SharedReceiveRing shared(DriverContext context, Scribbles scribbles) throws RdmaException {
        Creation<Created.Srq, SharedReceiveRing> creation = context.sharedReceiveQueue(4, 1);
        scribbles.add(CapturedRequest.of(creation).memory(0));
        ByteBuffer reply = reply(creation);
        device.answerSrq(reply, 0x40);
        return creation.finish(new Created.Srq(1, 0x40, device.grantedReceives(4), 1, reply));
    }

    private QueueRings pair(
            DriverContext context, CompletionRing cq, @Nullable SharedReceiveRing srq, Scribbles scribbles)
            throws RdmaException {
        Creation<Created.Qp, QueueRings> creation =
                context.queuePair(new QueuePairRequest(QueuePairType.RC, CAP, true, cq, cq, srq));
        scribbles.add(CapturedRequest.of(creation).memory(0));
        return creation.finish(new Created.Qp(1, FIRST_QPN + pairs++, CAP, reply(creation)));
    }

    @ParameterizedTest
    @Seeds
    void completeNothingTwiceAndNothingThatWasNotPosted(long seed) throws Exception {
        Random random = new Random(seed);
        Scribbles scribbles =
                new Scribbles(random, ENTRIES + 1, () -> device.device().takeStores());
        DriverContext context = device.provider().context(device.device()).finish(device.contextReply());
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
            int at = entry * ENTRY + ENTRY - CqeBytes.BYTES;
            int queue = random.nextInt(scribbles.queues());
            boolean send = queue > 1;
            int operation =
                    send ? CqeCodes.MLX4_CQE_IS_SEND_MASK | WqeCodes.MLX4_OPCODE_SEND : CqeCodes.MLX4_RECV_OPCODE_SEND;
            boolean ofOwn = queue == 1 || queue == 2;
            ring.putInt(at + CqeBytes.VLAN_MY_QPN, FIRST_QPN + (ofOwn ? 0 : 1));
            int index = queue == 0 ? random.nextInt(RECEIVES) : scribbles.near(queue) - 1;
            ring.putShort(at + CqeBytes.WQE_INDEX, (short) index);
            int owner = random.nextInt() & CqeCodes.MLX4_CQE_OWNER_MASK;
            boolean any = random.nextInt(8) == 0;
            ring.put(at + CqeBytes.OWNER_SR_OPCODE, (byte) (any ? random.nextInt() : owner | operation));
        }
    }
}
