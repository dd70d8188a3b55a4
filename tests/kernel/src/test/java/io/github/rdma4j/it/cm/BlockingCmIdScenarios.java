// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.AddressInfo;
import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Synchronous mode: {@code rdma_create_ep(3)} and its companions. */
abstract class BlockingCmIdScenarios {
    private static final Duration LIMIT = Await.LIMIT;
    private static final AddressInfo.Hints PASSIVE =
            AddressInfo.Hints.builder().passive(true).build();

    private static BlockingCmId listener() throws IOException, InterruptedException {
        AddressInfo here = AddressInfo.resolve(Rxe.IPV4, "0", PASSIVE).get(0);
        BlockingCmId listener = here.createEndpoint(QueuePairOptions.DEFAULT, LIMIT);
        listener.listen(8);
        return listener;
    }

    private static BlockingCmId client(BlockingCmId listener) throws IOException, InterruptedException {
        int port = listener.id().localAddress().orElseThrow().getPort();
        AddressInfo there = AddressInfo.resolve(Rxe.IPV4, Integer.toString(port), AddressInfo.Hints.DEFAULT)
                .get(0);
        return there.createEndpoint(QueuePairOptions.DEFAULT, LIMIT);
    }

    @Test
    void keepsAnEventThatArrivesDuringAWaitForCompletions() throws Exception {
        try (BlockingCmId listener = listener();
                BlockingCmId client = client(listener)) {
            Await.Running<BlockingCmId> accepting = Await.inThread(() -> listener.getRequest(LIMIT));
            Await.Running<Optional<WorkCompletion>> waiting;
            Await.Running<CmEvent> connecting =
                    Await.inThread(() -> client.connect(ConnectionParameters.DEFAULT, LIMIT));
            try (BlockingCmId server = accepting.result()) {
                waiting = Await.inThread(() -> server.queues().awaitReceiveCompletion(LIMIT.multipliedBy(3)));
                waiting.untilInside("sleep");
                server.id().accept(ConnectionParameters.DEFAULT);
                connecting.result();
                // Retrieved by the thread that waits for a completion, since there is no other.
                Await.until(
                        "established", () -> server.lastEvent().orElseThrow().type() == CmEventType.ESTABLISHED);
                assertThat(server.id().state()).isEqualTo(CmState.ESTABLISHED);
                client.id().disconnect();
                Await.until("disconnected", () -> server.id().state() == CmState.DISCONNECTED);
                server.disconnect(LIMIT);
            }
            assertThat(waiting.failure()).isInstanceOf(ClosedWhileWaitingException.class);
        }
    }

    @Test
    void connectsSendsAndDisconnects() throws Exception {
        try (BlockingCmId listener = listener();
                BlockingCmId client = client(listener)) {
            Await.Running<BlockingCmId> server = Await.inThread(() -> {
                BlockingCmId taken = listener.getRequest(LIMIT);
                CmQueues queues = taken.queues();
                ByteBuffer buffer = ByteBuffer.allocateDirect(64);
                try (MemoryRegion region = queues.registerMessages(buffer)) {
                    queues.postReceive(7, region, 0, 64);
                    taken.accept(ConnectionParameters.DEFAULT, LIMIT);
                    WorkCompletion received =
                            queues.awaitReceiveCompletion(LIMIT).orElseThrow();
                    assertThat(received.wrId()).isEqualTo(7);
                    assertThat(received.byteLength()).isEqualTo(8);
                    assertThat(buffer.getLong(0)).isEqualTo(0x1122334455667788L);
                }
                return taken;
            });
            client.connect(ConnectionParameters.DEFAULT, LIMIT);
            CmQueues queues = client.queues();
            ByteBuffer message = ByteBuffer.allocateDirect(8).putLong(0, 0x1122334455667788L);
            try (MemoryRegion region = queues.registerMessages(message)) {
                queues.postSend(9, region, 0, 8);
                assertThat(queues.awaitSendCompletion(LIMIT).orElseThrow().wrId())
                        .isEqualTo(9);
            }
            try (BlockingCmId taken = server.result()) {
                Await.Running<CmState> other = Await.inThread(() -> {
                    taken.disconnect(LIMIT);
                    return taken.id().state();
                });
                client.disconnect(LIMIT);
                assertThat(client.id().state()).isEqualTo(CmState.DISCONNECTED);
                assertThat(other.result()).isEqualTo(CmState.DISCONNECTED);
            }
        }
    }

    @Test
    void aRequestCarriesThePeersPrivateData() throws Exception {
        try (BlockingCmId listener = listener();
                BlockingCmId one = client(listener);
                BlockingCmId two = client(listener)) {
            one.id()
                    .connect(ConnectionParameters.builder()
                            .privateData(new byte[] {1})
                            .build());
            two.id()
                    .connect(ConnectionParameters.builder()
                            .privateData(new byte[] {2})
                            .build());
            try (BlockingCmId first = listener.getRequest(LIMIT);
                    BlockingCmId second = listener.getRequest(LIMIT)) {
                assertThat(told(first) + told(second)).isEqualTo(3);
                assertThat(first.lastEvent().orElseThrow().id()).isSameAs(first.id());
                assertThat(second.lastEvent().orElseThrow().id()).isSameAs(second.id());
            }
        }
    }

    private static int told(BlockingCmId request) {
        return request.lastEvent().orElseThrow().privateData()[0];
    }
}
