// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of work request that a reliable connection takes, with every byte compared. */
abstract class DataPathScenarios extends DeviceScenarios {
    static final int BYTES = 8192;

    private Ends ends;
    private End client;
    private End server;

    /** The inline data that a work request is to carry. */
    int inlineBytes() {
        return 128;
    }

    /** The scatter-gather entries that a receive is to have. */
    int receivePieces() {
        return 4;
    }

    final End client() {
        return client;
    }

    final End server() {
        return server;
    }

    @BeforeEach
    void connect() throws Exception {
        ends = connect(setup -> setup.bytes(BYTES)
                .qp(options ->
                        options.maxSendSge(4).maxReceiveSge(receivePieces()).maxInline(inlineBytes())));
        client = ends.client();
        server = ends.server();
        new Random(1).ints(BYTES).forEach(this::fillNext);
        client.buffer().clear();
    }

    private void fillNext(int value) {
        client.buffer().put((byte) value);
    }

    @AfterEach
    void close() throws Exception {
        ends.close();
    }

    private SendWorkRequest request() {
        return new SendWorkRequest(4).wrId(11).signaled();
    }

    /** Compares what the server has with what the client sent, and what lies behind it with zeros. */
    private void assertReceived(int length) {
        ByteBuffer sent = client.buffer().slice(0, length);
        ByteBuffer received = server.buffer().slice(0, length);
        assertThat(received.mismatch(sent)).isEqualTo(-1);
        for (int i = length; i < BYTES; i++) {
            assertThat(server.buffer().get(i)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 1023, 1024, 1025, BYTES})
    void sends(int length) throws Exception {
        server.receive(22, BYTES);
        client.send(11, length);
        WorkCompletion received = server.success();
        assertThat(received.wrId()).isEqualTo(22);
        assertThat(received.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
        assertThat(received.byteLength()).isEqualTo(length);
        assertThat(received.hasImmediate()).isFalse();
        assertThat(received.qpNumber()).isEqualTo(server.qp().qpn());
        WorkCompletion sent = client.success();
        assertThat(sent.wrId()).isEqualTo(11);
        assertThat(sent.opcode()).isEqualTo(WorkCompletionOpcode.SEND);
        assertThat(sent.qpNumber()).isEqualTo(client.qp().qpn());
        assertReceived(length);
    }

    @Test
    void sendsNothingAtAll() throws Exception {
        server.qp().postReceive(new ReceiveWorkRequest(0).wrId(22));
        client.qp().postSend(request().send());
        assertThat(server.success().byteLength()).isZero();
        client.success();
        assertReceived(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x01020304, -1, Integer.MIN_VALUE})
    void sendsANumberAlong(int number) throws Exception {
        server.receive(22, 64);
        client.qp().postSend(request().sendWithImmediate(number).add(client.region(), 0, 64));
        WorkCompletion received = server.success();
        assertThat(received.hasImmediate()).isTrue();
        assertThat(received.immediate()).isEqualTo(number);
        client.success();
        assertReceived(64);
    }

    @Test
    void writesThePeersMemoryWithoutItsDoing() throws Exception {
        client.qp()
                .postSend(request()
                        .rdmaWrite(server.region().iova(), server.region().rkey())
                        .add(client.region(), 0, 5000));
        assertThat(client.success().opcode()).isEqualTo(WorkCompletionOpcode.RDMA_WRITE);
        assertReceived(5000);
        assertThat(server.cq().poll(WorkCompletion.array(1))).isZero();
    }

    @Test
    void writesAtAnOffset() throws Exception {
        client.qp()
                .postSend(request()
                        .rdmaWrite(server.region().iova() + 100, server.region().rkey())
                        .add(client.region(), 0, 10));
        client.success();
        assertThat(server.buffer().slice(100, 10)).isEqualTo(client.buffer().slice(0, 10));
        assertThat(server.buffer().get(99)).isZero();
        assertThat(server.buffer().get(110)).isZero();
    }

    @Test
    void writesAndTellsThePeer() throws Exception {
        server.receive(22, 0);
        client.qp()
                .postSend(request()
                        .rdmaWriteWithImmediate(
                                server.region().iova(), server.region().rkey(), 4711)
                        .add(client.region(), 0, 3000));
        WorkCompletion received = server.success();
        assertThat(received.opcode()).isEqualTo(WorkCompletionOpcode.RECV_RDMA_WITH_IMM);
        assertThat(received.isReceive()).isTrue();
        assertThat(received.immediate()).isEqualTo(4711);
        assertThat(received.wrId()).isEqualTo(22);
        client.success();
        assertReceived(3000);
    }

    @Test
    void readsThePeersMemory() throws Exception {
        server.qp()
                .postSend(request()
                        .rdmaRead(client.region().iova(), client.region().rkey())
                        .add(server.region(), 0, 6000));
        assertThat(server.success().opcode()).isEqualTo(WorkCompletionOpcode.RDMA_READ);
        assertReceived(6000);
        assertThat(client.cq().poll(WorkCompletion.array(1))).isZero();
    }

    @Test
    void gathersFourPiecesAndScattersIntoTwo() throws Exception {
        server.qp()
                .postReceive(new ReceiveWorkRequest(2)
                        .wrId(22)
                        .add(server.region(), 4000, 1500)
                        .add(server.region(), 0, 2000));
        client.qp()
                .postSend(request()
                        .send()
                        .add(client.region(), 0, 1)
                        .add(client.region(), 100, 1000)
                        .add(client.region(), 3000, 0)
                        .add(client.region(), 5000, 1499));
        assertThat(server.success().byteLength()).isEqualTo(2500);
        client.success();
        ByteBuffer expected = ByteBuffer.allocate(2500)
                .put(client.buffer().slice(0, 1))
                .put(client.buffer().slice(100, 1000))
                .put(client.buffer().slice(5000, 1499))
                .flip();
        assertThat(server.buffer().slice(4000, 1500)).isEqualTo(expected.slice(0, 1500));
        assertThat(server.buffer().slice(0, 1000)).isEqualTo(expected.slice(1500, 1000));
        assertThat(server.buffer().get(1000)).isZero();
        assertThat(server.buffer().get(5500)).isZero();
    }

    @Test
    void sendsInlineFromMemoryThatIsNotRegistered() throws Exception {
        ByteBuffer heap = ByteBuffer.allocate(200);
        for (int i = 0; i < heap.capacity(); i++) {
            heap.put(i, (byte) (i + 1));
        }
        int length = inlineBytes();
        server.receive(22, 200);
        client.qp().postSend(request().send().inline(heap.slice(50, length)));
        heap.put(50, (byte) 0); // the data was copied when it was posted
        assertThat(server.success().byteLength()).isEqualTo(length);
        client.success();
        for (int i = 0; i < length; i++) {
            assertThat(server.buffer().get(i)).isEqualTo((byte) (51 + i));
        }
    }

    @Test
    void sendsPiecesOfARegionInline() throws Exception {
        int half = inlineBytes() / 2;
        for (int i = 0; i < 300; i++) {
            client.buffer().put(i, (byte) i);
        }
        SendWorkRequest request = new SendWorkRequest(3).send().signaled();
        request.add(client.region(), 200, half).add(client.region(), 7, 0).add(client.region(), 100, half);
        server.receive(22, 200);
        server.receive(23, 200);
        client.qp().postSend(request.inlined());
        client.buffer().put(200, (byte) 1); // the data was copied when it was posted
        assertThat(server.success().byteLength()).isEqualTo(2 * half);
        assertThat(server.buffer().get(0)).isEqualTo((byte) 200);
        assertThat(server.buffer().get(half - 1)).isEqualTo((byte) (199 + half));
        assertThat(server.buffer().get(half)).isEqualTo((byte) 100);
        assertThat(server.buffer().get(2 * half - 1)).isEqualTo((byte) (99 + half));
        client.success();
        client.qp().postSend(request);
        server.success();
        assertThat(server.buffer().get(0)).isEqualTo((byte) 1);
    }

    @Test
    void refusesMoreInlineDataThanTheQueueTakes() {
        int tooMuch = client.qp().capacities().maxInline() + 1;
        SendWorkRequest pieces =
                new SendWorkRequest(1).add(client.region(), 0, tooMuch).inlined();
        for (SendWorkRequest request : List.of(request().inline(ByteBuffer.allocate(tooMuch)), pieces)) {
            assertThatThrownBy(() -> client.qp().postSend(request.send()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxInline");
        }
    }

    @Test
    void refusesMorePiecesThanTheQueueTakes() throws Exception {
        int tooMany = client.qp().capacities().maxSendSge() + 1;
        SendWorkRequest request = new SendWorkRequest(tooMany).send();
        ReceiveWorkRequest receive = new ReceiveWorkRequest(tooMany);
        for (int i = 0; i < tooMany; i++) {
            request.add(client.region(), i, 1);
            receive.add(client.region(), i, 1);
        }
        assertThatThrownBy(() -> client.qp().postSend(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxSendSge");
        assertThatThrownBy(() -> client.qp().postReceive(receive))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxReceiveSge");
    }

    @Test
    void refusesToReadIntoInlineData() {
        assertThatThrownBy(() -> client.qp()
                        .postSend(request()
                                .rdmaRead(
                                        server.region().iova(), server.region().rkey())
                                .inline(ByteBuffer.allocate(8))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void wrapsAroundTheRingsManyTimesUnsignaled() throws Exception {
        int laps = 12;
        int depth = client.qp().capacities().maxSendWr();
        SendWorkRequest request = new SendWorkRequest(1);
        int messages = laps * (depth + 1);
        for (int i = 0; i < messages; i++) {
            server.receive(i, 64);
            client.buffer().putInt(0, i);
            boolean signaled = i % (depth / 2) == 0 || i == messages - 1;
            request.clear().wrId(i).send().add(client.region(), 0, 4);
            client.qp().postSend(signaled ? request.signaled() : request);
            assertThat(server.success().wrId()).isEqualTo(i);
            assertThat(server.buffer().getInt(0)).isEqualTo(i);
            if (signaled) {
                assertThat(client.success().wrId()).isEqualTo(i);
            }
        }
        assertThat(client.cq().poll(WorkCompletion.array(1))).isZero();
    }

    @Test
    void losesNothingWhenTheReceiveQueueIsFull() throws Exception {
        int posted = 0;
        ReceiveWorkRequest receive = new ReceiveWorkRequest(1).add(server.region(), 0, 4);
        while (server.qp().tryPostReceive(receive.wrId(posted))) {
            posted++;
        }
        assertThat(posted).isGreaterThanOrEqualTo(server.qp().capacities().maxReceiveWr());
        assertThatThrownBy(() -> server.qp().postReceive(receive)).isInstanceOf(QueueFullException.class);
        for (int i = 0; i < posted; i++) {
            client.send(i, 4);
            client.success();
            assertThat(server.success().wrId()).isEqualTo(i);
        }
        assertThat(server.qp().tryPostReceive(receive)).isTrue();
    }

    @Test
    void losesNothingWhenTheSendQueueIsFull() throws Exception {
        int posted = 0;
        SendWorkRequest request = request().send().add(client.region(), 0, 4);
        // No receive is posted, and the peer is asked again for ever: nothing leaves the queue.
        while (client.qp().tryPostSend(request.wrId(posted))) {
            posted++;
        }
        assertThat(posted).isGreaterThanOrEqualTo(client.qp().capacities().maxSendWr());
        assertThatThrownBy(() -> client.qp().postSend(request)).isInstanceOf(QueueFullException.class);
        takeAll(posted);
        for (int i = 0; i < posted; i++) {
            assertThat(client.success().wrId()).isEqualTo(i);
        }
        assertThat(client.qp().tryPostSend(request)).isTrue();
    }

    /** Posts receives for as many messages, as many at once as there is room for: the peer asks anew after 655 ms only. */
    private void takeAll(int messages) throws Exception {
        int taken = 0;
        for (int i = 0; i < messages; i++) {
            ReceiveWorkRequest request = new ReceiveWorkRequest(1).wrId(i).add(server.region(), 16L * i, 16);
            while (!server.qp().tryPostReceive(request)) {
                assertThat(server.success().wrId()).isEqualTo(taken++);
            }
        }
        while (taken < messages) {
            assertThat(server.success().wrId()).isEqualTo(taken++);
        }
    }

    @Test
    void postsAsManyOfSeveralAsThereIsRoomFor() throws Exception {
        SendWorkRequest[] requests = new SendWorkRequest[100];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = request().wrId(i).send().add(client.region(), i, 1);
        }
        int posted = client.qp().postSend(requests, requests.length);
        assertThat(posted).isBetween(client.qp().capacities().maxSendWr(), requests.length - 1);
        takeAll(posted);
        for (int i = 0; i < posted; i++) {
            assertThat(server.buffer().get(16 * i)).isEqualTo(client.buffer().get(i));
            assertThat(client.success().wrId()).isEqualTo(i);
        }
        assertThat(client.cq().poll(WorkCompletion.array(1))).isZero();
    }

    @Test
    void pollsAsManyCompletionsAsThereIsRoomFor() throws Exception {
        for (int i = 0; i < 5; i++) {
            server.receive(i, 4);
        }
        for (int i = 0; i < 5; i++) {
            client.send(i, 4);
            client.success();
        }
        WorkCompletion[] three = WorkCompletion.array(3);
        Await.until("completions", () -> server.cq().poll(three) == 3);
        assertThat(three).extracting(WorkCompletion::wrId).containsExactly(0L, 1L, 2L);
        assertThat(server.cq().poll(three)).isEqualTo(2);
        assertThat(three[1].wrId()).isEqualTo(4);
        assertThat(server.cq().poll(new WorkCompletion[0])).isZero();
    }
}
