// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverContext.QueuePairRequest;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.irdma.IrdmaMode;
import io.github.rdma4j.providers.script.PlayedDriver.PairParts;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A completion queue of irdma whose size was changed while the device wrote to the old ring. The device writes the last entry of the
 * old ring before the first of the new one, in the middle of a poll: at the moment at which the poll hands a completion over.
 */
class ReplacedRingTest {
    private static final int CQN = 0x400;
    private static final int QPN = 0x100;
    private static final QpCap CAP = new QpCap(4, 4, 1, 1, 0);

    private final PlayedDriver device = IrdmaMode.ROCE.open();
    private final List<Long> completed = new ArrayList<>();
    private Runnable whileHandedOver = () -> {};

    private final CompletionSink<Object> sink = new CompletionSink<>() {
        @Override
        public void setResult(Object completion, long wrId, int status, int opcode, int qpNumber) {
            completed.add(wrId);
            Runnable once = whileHandedOver;
            whileHandedOver = () -> {};
            once.run();
        }

        @Override
        public void setPayload(Object completion, int byteLength, int immediateBe, int flags, int vendorError) {}

        @Override
        public void setSource(Object completion, int sourceQp, long path) {}

        @Override
        public void copy(Object completion, LongBuffer ring, int index) {
            throw new AssertionError("no struct ib_uverbs_wc");
        }
    };

    private static ByteBuffer reply(Creation<?, ?> creation) {
        return ByteBuffer.allocate(creation.replyBytes()).order(ByteOrder.nativeOrder());
    }

    @Test
    void anEntryOfTheOldRingIsNotLostToTheFirstOfTheNewRing() throws RdmaException {
        DriverContext context = device.provider().context(device.device()).finish(device.contextReply());
        int entries = context.entriesToRequest(10);
        Creation<Created.Cq, CompletionRing> creation = context.completionQueue(entries);
        CapturedRequest request = CapturedRequest.of(creation);
        ByteBuffer reply = reply(creation);
        device.answerCq(reply, CQN, entries);
        CompletionRing ring = creation.finish(new Created.Cq(1, entries, reply));
        PlayedQueues.Completions before = device.completions(ring, request, CQN);
        PlayedQueues.Completions after = device.completions(ring, request, CQN);
        PlayedQueues.Pair pair = pair(context, before);
        for (int i = 0; i < 3; i++) {
            Objects.requireNonNull(pair.rings().receive()).put(PlayedRequest.receive(("recv Q " + i).split(" ")));
        }
        before.complete(pair, received(0));

        Creation<Created.Cq, CompletionRing> change = ring.resize(context.entriesToRequest(20));
        after.resize(CapturedRequest.of(change), context.entriesToRequest(20));
        change.finish(new Created.Cq(1, context.entriesToRequest(20), reply(change)));
        whileHandedOver = () -> {
            before.complete(pair, received(1));
            after.complete(pair, received(2));
        };
        for (int polled = 1; polled > 0; ) {
            polled = ring.poll(new Object[] {this}, sink);
        }

        assertThat(completed).containsExactly(0L, 1L, 2L);
        assertThat(ring.ignored()).isZero();
    }

    private PlayedQueues.Pair pair(DriverContext context, PlayedQueues.Completions cq) throws RdmaException {
        QpCap cap = context.capacitiesToRequest(CAP);
        Creation<Created.Qp, QueueRings> creation =
                context.queuePair(new QueuePairRequest(QueuePairType.RC, cap, true, cq.ring(), cq.ring(), null));
        CapturedRequest request = CapturedRequest.of(creation);
        ByteBuffer reply = reply(creation);
        device.answerQp(reply, QPN, cap);
        QueueRings rings = creation.finish(new Created.Qp(1, QPN, cap, reply));
        return device.pair(new PairParts(rings, QPN, QueuePairType.RC, cap, List.of(cq, cq)), request);
    }

    private static String[] received(int index) {
        return ("cqe A Q 0 0 " + index + " 0 0 16 - 0 0").split(" ");
    }
}
