// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.provider.CountedSendRing;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.verbs.RegionMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QpState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SendQueueTest {
    private final ModelKernel kernel = new ModelKernel();
    private final ListRing ring = new ListRing();
    private DeviceContext context;
    private ProtectionDomain pd;
    private SendQueue queue;

    /** A ring that refuses the request with the number 13, and breaks off with 14. */
    private static final class ListRing extends CountedSendRing {
        private final List<Long> put = new ArrayList<>();
        private final List<Long> published = new ArrayList<>();
        private final List<List<Byte>> inline = new ArrayList<>();

        /** The device completes nothing. */
        private boolean keep;

        ListRing() {
            super(new Capacities(4, 1, 0));
        }

        @Override
        public void put(SendView request) {
            if (request.wrId() == 13) {
                throw new IllegalArgumentException("changed meanwhile");
            }
            put.add(request.wrId());
            count(put.size());
            ByteBuffer data = request.inlineData();
            if (data != null) {
                inline.add(IntStream.range(data.position(), data.limit())
                        .mapToObj(data::get)
                        .toList());
            }
            if (request.wrId() == 14) {
                throw new StackOverflowError("half-way");
            }
        }

        @Override
        public void discard() {
            put.clear();
            count(0);
        }

        @Override
        public int publish() {
            published.addAll(put);
            if (!keep) {
                discard();
            }
            return 0;
        }
    }

    @BeforeEach
    void open() throws RdmaException {
        context = kernel.open();
        pd = context.allocatePd();
        QueuePair qp =
                pd.createQp(QueuePairOptions.builder().cq(context.createCq(2)).build());
        qp.modify(QpAttr.builder().state(QpState.RTS).build());
        queue = new SendQueue(qp, ring, new SendLimits(qp.sender(pd), new QpCap(4, 4, 1, 1, 4), 1000), 3, null);
    }

    @AfterEach
    void close() throws RdmaException {
        context.close();
    }

    @Test
    void gathersThePiecesOfARegionForEachPost() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(8).put(new byte[] {0, 1, 2, 3, 4, 5, 6, 7});
        try (MemoryRegion region = pd.registerMr(memory.position(2), Set.of())) {
            SendWorkRequest pieces = new SendWorkRequest(3);
            pieces.add(region, 4, 2).add(region, 0, 0).add(region, 0, 1).inlined();
            assertThat(queue.tryPost(pieces, null)).isTrue();
            memory.put(6, (byte) 66);
            assertThat(queue.tryPost(pieces, null)).isTrue();
            assertThat(queue.tryPost(pieces.clear().add(region, 1, 1).inlined(), null))
                    .isTrue();
            assertThat(ring.inline)
                    .containsExactly(
                            List.of((byte) 6, (byte) 7, (byte) 2),
                            List.of((byte) 66, (byte) 7, (byte) 2),
                            List.of((byte) 3));
        }
    }

    private void refusesAfter(SendWorkRequest request, UnaryOperator<SendWorkRequest> change, String complaint)
            throws Exception {
        assertThat(queue.tryPost(request, null)).isTrue();
        assertThat(queue.tryPost(request.wrId(2).signaled().fenced(), null)).isTrue();
        assertThatThrownBy(() -> queue.tryPost(change.apply(request), null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(complaint);
    }

    /** A request that was accepted is not looked at again before it is changed. */
    @Test
    void looksAtARequestThatWasChangedBetweenTwoPosts() throws Exception {
        try (MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(2000), Set.of())) {
            Supplier<SendWorkRequest> good = () -> new SendWorkRequest(2).add(region, 0, 8);
            refusesAfter(good.get(), request -> request.add(region, 0, 8), "2 scatter-gather entries");
            refusesAfter(good.get(), request -> request.clear().add(region, 0, 1001), "1001 bytes");
            refusesAfter(good.get(), request -> replaced(request, region), "1001 bytes");
            refusesAfter(good.get(), SendWorkRequest::inlined, "8 bytes of inline data");
            refusesAfter(good.get(), request -> request.inline(ByteBuffer.allocate(5)), "5 bytes of inline data");
            refusesAfter(good.get(), request -> request.toSrq(1), "does not support toSrq");
            refusesAfter(
                    good.get().rdmaWrite(0, 1),
                    request -> request.rdmaRead(0, 1).inlined(),
                    "inline data");
            refusesAfter(good.get(), request -> request.clear().fetchAndAdd(0, 1, 1), "one scatter-gather entry");
            refusesAfter(good.get(), request -> request.atomicWrite(0, 1, 1), "takes no scatter-gather entries");
        }
    }

    private static SendWorkRequest replaced(SendWorkRequest request, MemoryRegion region) {
        request.pieces().replace(0, region, 0, 1001);
        return request;
    }

    /** The bytes of inline data change without the request. */
    @Test
    void looksAtInlineDataWithEachPost() throws Exception {
        ByteBuffer data = ByteBuffer.allocate(8).limit(4);
        refusesAfter(
                new SendWorkRequest(0).inline(data),
                request -> {
                    data.limit(5);
                    return request;
                },
                "5 bytes of inline data");
    }

    @Test
    void looksAtARequestThatAnotherQueueHasAccepted() throws Exception {
        QueuePair qp =
                pd.createQp(QueuePairOptions.builder().cq(context.createCq(2)).build());
        qp.modify(QpAttr.builder().state(QpState.RTS).build());
        SendLimits narrow = new SendLimits(qp.sender(pd), new QpCap(4, 4, 1, 1, 4), 7);
        SendQueue other = new SendQueue(qp, new ListRing(), narrow, 3, null);
        try (MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(8), Set.of())) {
            SendWorkRequest request = new SendWorkRequest(1).add(region, 0, 8);
            assertThat(queue.tryPost(request, null)).isTrue();
            assertThatThrownBy(() -> other.tryPost(request, null)).hasMessageContaining("8 bytes");
        }
    }

    @Test
    void refusesAnAcceptedRequestWhoseRegionIsClosed() throws Exception {
        SendWorkRequest request = new SendWorkRequest(1);
        try (MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(8), Set.of())) {
            assertThat(queue.tryPost(request.add(region, 0, 8), null)).isTrue();
        }
        assertThatThrownBy(() -> queue.tryPost(request, null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void sendsFromTheRegionAfterAnotherPieceIsAdded() throws Exception {
        try (MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(8), Set.of())) {
            SendWorkRequest pieces = new SendWorkRequest(2).add(region, 0, 4).inlined();
            assertThat(queue.tryPost(pieces, null)).isTrue();
            assertThat(queue.tryPost(pieces.clear().add(region, 0, 4), null)).isTrue();
            assertThat(queue.tryPost(pieces.inlined().inline(ByteBuffer.allocate(1)), null))
                    .isTrue();
            assertThat(queue.tryPost(pieces.clear(), null)).isTrue();
            assertThat(ring.inline).extracting(List::size).containsExactly(4, 1);
        }
    }

    @Test
    void refusesInlineDataThatDoNotFitOrWhoseMemoryMayVanish() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(8);
        MemoryRegion large = pd.registerMr(memory, Set.of());
        SendWorkRequest tooLong = new SendWorkRequest(1).add(large, 0, 5).inlined();
        assertThatThrownBy(() -> queue.tryPost(tooLong, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("5 bytes of inline data");
        MemoryRegion owned = pd.register(RegionMemory.of(memory, new NoOwner()), Set.of());
        SendWorkRequest vanishing = new SendWorkRequest(1).add(owned, 0, 4).inlined();
        assertThatThrownBy(() -> queue.tryPost(vanishing, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pass the data as a buffer to SendWorkRequest.inline");
        SendWorkRequest closed = tooLong.clear().add(large, 0, 4).inlined();
        large.close();
        assertThatThrownBy(() -> queue.tryPost(closed, null)).isInstanceOf(IllegalStateException.class);
        assertThat(ring.published).isEmpty();
    }

    /** Would free the memory at any time. */
    private static final class NoOwner implements RegionMemory.Owner {
        @Override
        public void ensureInPlace() {}

        @Override
        public void release() {}
    }

    private static SendWorkRequest request(long wrId) {
        return new SendWorkRequest(0).wrId(wrId);
    }

    @Test
    void takesNoMoreThanTheProgramAskedForThoughTheRingHasRoom() throws Exception {
        SendWorkRequest[] requests = {request(1), request(2), request(3), request(4)};
        for (SendWorkRequest request : requests) {
            ring.put(request.view());
        }
        assertThat(ring.isFull()).as("of the ring").isTrue();
        ring.discard();
        ring.keep = true;
        assertThat(queue.post(requests, 4)).isEqualTo(3);
        assertThat(queue.tryPost(requests[3], null)).isFalse();
        assertThat(queue.capacity()).isEqualTo(3);
    }

    @Test
    void refusesACountThatTheArrayHasNot() {
        SendWorkRequest[] requests = {request(1)};
        for (int count : new int[] {2, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> queue.post(requests, count)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThat(ring.published).isEmpty();
    }

    @Test
    void publishesNothingOfAPostThatFails() throws Exception {
        SendWorkRequest[] requests = {request(1), request(2), request(13)};
        assertThatThrownBy(() -> queue.post(requests, 3)).hasMessage("changed meanwhile");
        assertThatThrownBy(() -> queue.tryPost(request(13), null)).hasMessage("changed meanwhile");
        assertThat(queue.tryPost(request(4), null)).isTrue();
        assertThat(ring.published).containsExactly(4L);
    }

    @Test
    void publishesNothingOfAPostThatBreaksOff() throws Exception {
        SendWorkRequest[] requests = {request(1), request(14)};
        assertThatThrownBy(() -> queue.post(requests, 2)).hasMessage("half-way");
        assertThatThrownBy(() -> queue.tryPost(request(14), null)).hasMessage("half-way");
        assertThat(queue.tryPost(request(4), null)).isTrue();
        assertThat(ring.published).containsExactly(4L);
    }
}
