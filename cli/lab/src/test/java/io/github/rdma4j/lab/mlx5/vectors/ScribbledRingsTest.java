// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.vectors;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCqResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQpResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateSrqResp;
import io.github.rdma4j.internal.mlx5.Mlx5Provider;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
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
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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

    private final Mode mode = Mode.ALL.get(0);
    private final VectorDevice device = new VectorDevice(mode);
    private final List<ByteBuffer> memories = new ArrayList<>();
    private final List<Integer> numbers = new ArrayList<>();
    private final Set<Long> posted = new HashSet<>();
    private final List<Long> completed = new ArrayList<>();

    /** How much was posted to each queue. */
    private final int[] counts = new int[4];

    private long wrIds;

    private static ByteBuffer reply(Creation<?, ?> creation) {
        return ByteBuffer.allocate(creation.replyBytes()).order(ByteOrder.nativeOrder());
    }

    private CompletionRing completions(DriverContext context) throws RdmaException {
        Creation<Created.Cq, CompletionRing> creation = context.completionQueue(context.entriesToRequest(ENTRIES));
        memories.add(CapturedRequest.of(creation).memory(0));
        ByteBuffer reply = reply(creation).putInt(CreateCqResp.CQN, 0x400);
        return creation.finish(new Created.Cq(1, ENTRIES, reply));
    }

    private SharedReceiveRing shared(DriverContext context) throws RdmaException {
        Creation<Created.Srq, SharedReceiveRing> creation = context.sharedReceiveQueue(4, 1);
        memories.add(CapturedRequest.of(creation).memory(0));
        ByteBuffer reply = reply(creation).putInt(CreateSrqResp.SRQN, 0x40);
        return creation.finish(new Created.Srq(1, 0x40, context.receivesToRequest(4), 1, reply));
    }

    private QueueRings pair(DriverContext context, CompletionRing cq, @Nullable SharedReceiveRing srq)
            throws RdmaException {
        Creation<Created.Qp, QueueRings> creation =
                context.queuePair(new QueuePairRequest(QueuePairType.RC, CAP, true, cq, cq, srq));
        CapturedRequest request = CapturedRequest.of(creation);
        memories.add(request.memory(0));
        numbers.add(request.getInt(CreateQp.UIDX));
        ByteBuffer reply = reply(creation).putInt(CreateQpResp.BFREG_INDEX, Integer.MIN_VALUE);
        return creation.finish(new Created.Qp(1, 0x100 + numbers.size(), CAP, reply));
    }

    @ParameterizedTest
    @Seeds
    void completeNothingTwiceAndNothingThatWasNotPosted(long seed) throws Exception {
        Random random = new Random(seed);
        Creation<ByteBuffer, DriverContext> opening = new Mlx5Provider().context(device);
        CapturedRequest.of(opening);
        DriverContext context = opening.finish(device.contextReply());
        CompletionRing cq = completions(context);
        SharedReceiveRing srq = shared(context);
        QueueRings own = pair(context, cq, null);
        QueueRings sharing = pair(context, cq, srq);
        for (int round = 0; round < ROUNDS; round++) {
            scribble(random);
            postReceives(srq, 0, random);
            postReceives(requireNonNull(own.receive()), 1, random);
            postSends(own, 2, random);
            postSends(sharing, 3, random);
            scribble(random);
            nameQueues(random);
            poll(cq, random.nextInt(2 * ENTRIES));
        }
        assertThat(completed.size()).as("completions, seed %d", seed).isGreaterThan(ROUNDS / 50);
    }

    private void scribble(Random random) {
        for (ByteBuffer memory : memories) {
            int at = random.nextInt(memory.capacity() / Long.BYTES) * Long.BYTES;
            int words = random.nextInt(Math.min(64, (memory.capacity() - at) / Long.BYTES) + 1);
            for (int i = 0; i < words; i++) {
                memory.putLong(at + i * Long.BYTES, random.nextLong());
            }
        }
    }

    /** Entries that name a queue pair and a request near those that wait: any bytes at all would rarely do. */
    private void nameQueues(Random random) {
        ByteBuffer ring = memories.get(0);
        for (int entry = 0; entry <= ENTRIES; entry++) {
            int at = entry * Cqe64.BYTES;
            ring.putInt(at + Cqe64.SRQN_UIDX, numbers.get(random.nextInt(numbers.size())));
            ring.putInt(at + Cqe64.SOP_DROP_QPN, 10 << 24);
            ring.putShort(at + Cqe64.WQE_COUNTER, (short) counter(random));
            ring.put(at + Cqe64.OP_OWN, (byte) random.nextInt());
        }
    }

    /** Near what one of the queues has posted last, an entry of the shared queue, or anything. */
    private int counter(Random random) {
        int kind = random.nextInt(counts.length + 2);
        if (kind < counts.length) {
            return counts[kind] - random.nextInt(8);
        }
        return random.nextInt(kind == counts.length ? 8 : 1 << 16);
    }

    private void postReceives(ReceiveRing ring, int count, Random random) {
        while (!ring.isFull() && random.nextInt(4) > 0) {
            counts[count]++;
            ring.put(PlayedRequest.receive(new String[] {"recv", "", next()}));
        }
    }

    private void postSends(QueueRings rings, int count, Random random) {
        while (!rings.send().isFull() && random.nextInt(4) > 0) {
            counts[count]++;
            String line = "send Q " + next() + " send s 0 0 0 0 0 - 0 0 0:10:45a";
            rings.send().put(PlayedRequest.send(line.split(" "), null));
            rings.send().publish();
        }
        device.takeStores();
    }

    private String next() {
        posted.add(++wrIds);
        return Long.toString(wrIds);
    }

    private void poll(CompletionRing cq, int most) {
        Long[] places = new Long[most];
        Arrays.fill(places, 0L);
        int before = completed.size();
        int polled = cq.poll(places, new WrIds());
        assertThat(polled).isLessThanOrEqualTo(Math.min(most, ENTRIES + 1)).isEqualTo(completed.size() - before);
        for (long wrId : completed.subList(before, completed.size())) {
            assertThat(posted.remove(wrId))
                    .as("request %d was posted, and has not completed", wrId)
                    .isTrue();
        }
    }

    private final class WrIds implements CompletionSink<Long> {
        @Override
        public void setResult(Long place, long wrId, int status, int opcode, int qpNumber) {
            completed.add(wrId);
        }

        @Override
        public void setPayload(Long place, int byteLength, int immediateBe, int flags, int vendorError) {}

        @Override
        public void setSource(Long place, int sourceQp, int pkeyIndex) {}

        @Override
        public void copy(Long place, LongBuffer ring, int index) {
            throw new AssertionError("a completion of mlx5 is no struct ib_uverbs_wc");
        }
    }
}
