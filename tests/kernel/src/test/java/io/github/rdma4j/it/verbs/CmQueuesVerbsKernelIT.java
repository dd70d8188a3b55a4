// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.Grh;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The helpers of {@code rdma_verbs.h}. */
@RequiresKernel
class CmQueuesVerbsKernelIT {
    private static final Duration LIMIT = Await.LIMIT;
    private static final long MAGIC = 0x0102030405060708L;

    private final List<BlockingCmId> open = new ArrayList<>();

    /** Both ends of a connection. */
    private record Ends(BlockingCmId listener, BlockingCmId client, BlockingCmId server, CmEvent established) {
        CmQueues mine() {
            return client.queues();
        }

        CmQueues theirs() {
            return server.queues();
        }
    }

    private Ends connect(PortSpace portSpace, QueuePairOptions options) throws Exception {
        BlockingCmId listener = created(portSpace);
        listener.bind(Rxe.newAddress());
        listener.listen(1);
        BlockingCmId client = created(portSpace);
        client.resolveAddress(listener.id().localAddress().orElseThrow(), LIMIT);
        client.resolveRoute(LIMIT);
        client.id().createQp(options);
        Await.Running<CmEvent> connecting = Await.inThread(() -> client.connect(ConnectionParameters.DEFAULT, LIMIT));
        BlockingCmId server = listener.getRequest(LIMIT);
        open.add(server);
        server.id().createQp(options);
        server.accept(ConnectionParameters.DEFAULT, LIMIT);
        return new Ends(listener, client, server, connecting.result());
    }

    private BlockingCmId created(PortSpace portSpace) throws RdmaException {
        BlockingCmId id = BlockingCmId.create(portSpace);
        open.add(id);
        return id;
    }

    @AfterEach
    void close() throws RdmaException {
        for (BlockingCmId id : open) {
            id.close();
        }
    }

    /** The event of the first message must not be the last one that anybody is woken by. */
    @Test
    void eachOfTwoWaitingThreadsGetsACompletion() throws Exception {
        Ends ends = connect(PortSpace.TCP, QueuePairOptions.DEFAULT);
        try (MemoryRegion target = ends.theirs().registerMessages(ByteBuffer.allocateDirect(16));
                MemoryRegion source = ends.mine().registerMessages(ByteBuffer.allocateDirect(8))) {
            ends.theirs().postReceive(1, target, 0, 8);
            ends.theirs().postReceive(2, target, 8, 8);
            List<Await.Running<Long>> waiting = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                waiting.add(Await.inThread(() -> ends.theirs()
                                .awaitReceiveCompletion(Duration.ofSeconds(30))
                                .orElseThrow()
                                .wrId())
                        .untilInside("await"));
            }
            waiting.get(0).untilAsleep();
            waiting.get(1).untilAsleep();
            ends.mine().postSend(3, source, 0, 8);
            Await.until("one has got the first message", () -> waiting.stream().anyMatch(Await.Running::isDone));
            ends.mine().postSend(4, source, 0, 8);
            assertThat(waiting.get(0).result() + waiting.get(1).result()).isEqualTo(3);
        }
    }

    @Test
    void aQueuedWaiterKeepsItsLimitAndIsToldOfTheEnd() throws Exception {
        Ends ends = connect(PortSpace.TCP, QueuePairOptions.DEFAULT);
        Await.Running<?> first =
                Await.inThread(() -> ends.mine().awaitSendCompletion(LIMIT)).untilInside("poll");
        assertThat(ends.mine().awaitSendCompletion(Duration.ofMillis(20))).isEmpty();
        Await.Running<?> second =
                Await.inThread(() -> ends.mine().awaitSendCompletion(LIMIT)).untilInside("await");
        second.untilAsleep();
        ends.client().close();
        assertThat(first.failure()).isInstanceOf(ClosedWhileWaitingException.class);
        assertThat(second.failure()).isInstanceOf(ClosedWhileWaitingException.class);
    }

    @Test
    void readsAndWritesThePeersMemory() throws Exception {
        Ends ends = connect(PortSpace.TCP, QueuePairOptions.DEFAULT);
        CmQueues mine = ends.mine();
        CmQueues theirs = ends.theirs();
        ByteBuffer local = ByteBuffer.allocateDirect(16);
        ByteBuffer readable = ByteBuffer.allocateDirect(8).putLong(0, MAGIC);
        ByteBuffer writable = ByteBuffer.allocateDirect(8);
        try (MemoryRegion region = mine.registerMessages(local);
                MemoryRegion toRead = theirs.registerRead(readable);
                MemoryRegion toWrite = theirs.registerWrite(writable)) {
            mine.post(new SendWorkRequest(1)
                    .wrId(1)
                    .rdmaRead(toRead.iova(), toRead.rkey())
                    .signaled()
                    .add(region, 0, 8));
            mine.awaitSend(LIMIT);
            assertThat(local.getLong(0)).isEqualTo(MAGIC);
            local.putLong(8, ~MAGIC);
            mine.post(new SendWorkRequest(1)
                    .wrId(2)
                    .rdmaWrite(toWrite.iova(), toWrite.rkey())
                    .signaled()
                    .add(region, 8, 8));
            assertThat(mine.awaitSend(LIMIT).wrId()).isEqualTo(2);
            assertThat(writable.getLong(0)).isEqualTo(~MAGIC);
        }
    }

    @Test
    void sendsAndReceivesInSeveralPieces() throws Exception {
        Ends ends = connect(
                PortSpace.TCP,
                QueuePairOptions.builder().maxSendSge(2).maxReceiveSge(2).build());
        CmQueues mine = ends.mine();
        CmQueues theirs = ends.theirs();
        ByteBuffer from = ByteBuffer.allocateDirect(32).putLong(0, MAGIC).putLong(24, ~MAGIC);
        ByteBuffer into = ByteBuffer.allocateDirect(32);
        try (MemoryRegion source = mine.registerMessages(from);
                MemoryRegion target = theirs.registerMessages(into)) {
            theirs.postReceive(
                    new ReceiveWorkRequest(2).wrId(5).add(target, 16, 4).add(target, 0, 12));
            mine.post(new SendWorkRequest(2).send().signaled().add(source, 0, 8).add(source, 24, 8));
            mine.awaitSend(LIMIT);
            assertThat(theirs.awaitReceive(LIMIT).byteLength()).isEqualTo(16);
            assertThat(into.getInt(16)).isEqualTo((int) (MAGIC >>> 32));
            assertThat(into.getInt(0)).isEqualTo((int) MAGIC);
            assertThat(into.getLong(4)).isEqualTo(~MAGIC);
        }
    }

    @Test
    void sendsADatagramToThePeerOfAConnection() throws Exception {
        Ends ends = connect(PortSpace.UDP, QueuePairOptions.DEFAULT);
        DatagramPeer peer = ends.established().datagramPeer().orElseThrow();
        CmQueues mine = ends.mine();
        CmQueues theirs = ends.theirs();
        ByteBuffer from = ByteBuffer.allocateDirect(8).putLong(0, MAGIC);
        ByteBuffer into = ByteBuffer.allocateDirect(Grh.BYTES + 8);
        try (MemoryRegion source = mine.registerMessages(from);
                MemoryRegion target = theirs.registerMessages(into);
                DatagramPeer.Handle to = mine.handle(peer)) {
            theirs.postReceive(3, target, 0, Grh.BYTES + 8);
            mine.postDatagram(4, source, 0, 8, to);
            mine.awaitSend(LIMIT);
            assertThat(theirs.awaitReceive(LIMIT).byteLength()).isEqualTo(Grh.BYTES + 8);
            assertThat(into.getLong(Grh.BYTES)).isEqualTo(MAGIC);
        }
    }

    @Test
    void saysWhenNothingCompletesAndWhenAReceiveFails() throws Exception {
        Ends ends = connect(PortSpace.TCP, QueuePairOptions.DEFAULT);
        assertThat(ends.mine().awaitReceiveCompletion(Duration.ofMillis(10))).isEmpty();
        assertThatThrownBy(() -> ends.mine().awaitReceive(Duration.ofMillis(10)))
                .isInstanceOf(CmTimeoutException.class)
                .hasMessageContaining("no receive of CmId");
        ends.mine().qp().moveToError();
        try (MemoryRegion region = ends.mine().registerMessages(ByteBuffer.allocateDirect(8))) {
            ends.mine().postReceive(1, region, 0, 8);
            assertThatThrownBy(() -> ends.mine().awaitReceive(LIMIT)).isInstanceOf(WorkCompletionException.class);
        }
    }

    @Test
    void leavesTheCallersCompletionQueueToTheCaller() throws Exception {
        Ends ends = connect(PortSpace.TCP, QueuePairOptions.DEFAULT);
        try (CompletionQueue cq = ends.client().id().context().createCq(8);
                BlockingCmId other = BlockingCmId.create(PortSpace.TCP)) {
            other.resolveAddress(ends.listener().id().localAddress().orElseThrow(), LIMIT);
            CmQueues queues = other.queues();
            assertThatThrownBy(() -> queues.awaitSendCompletion(LIMIT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no queue pair");
            other.id().createQp(QueuePairOptions.builder().cq(cq).build());
            assertThatThrownBy(() -> queues.awaitSendCompletion(LIMIT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has no completion queue of its own");
        }
    }
}
