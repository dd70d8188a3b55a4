// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Pvrdma;
import io.github.rdma4j.it.support.PvrdmaEnd;
import io.github.rdma4j.it.support.RequiresPvrdma;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A driver whose rings are memory of the process and whose doorbells are stores to a page of the device: two queue pairs of
 * this JVM on QEMU's device, through the kernel's driver. QEMU's device sends and receives; it takes every other operation
 * for a send.
 */
@RequiresPvrdma
class DataPathPvrdmaIT {
    private static final int MESSAGES = 300;

    private DeviceContext context;
    private PvrdmaEnd client;
    private PvrdmaEnd server;

    @BeforeEach
    void connect() throws Exception {
        context = Pvrdma.open();
        PvrdmaEnd[] ends = PvrdmaEnd.connected(context);
        client = ends[0];
        server = ends[1];
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    private static void fill(ByteBuffer buffer, long seed) {
        byte[] bytes = new byte[buffer.capacity()];
        new Random(seed).nextBytes(bytes);
        buffer.put(0, bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 1023, Pvrdma.LONGEST_MESSAGE})
    void sends(int length) throws Exception {
        fill(client.buffer(), length);
        server.receive(22, 0, Pvrdma.LONGEST_MESSAGE);
        client.send(11, 100, length);
        WorkCompletion received = server.success();
        assertThat(received.wrId()).isEqualTo(22);
        assertThat(received.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
        assertThat(received.byteLength()).isEqualTo(length);
        assertThat(received.qpNumber()).isEqualTo(server.qp().qpn());
        WorkCompletion sent = client.success();
        assertThat(sent.wrId()).isEqualTo(11);
        assertThat(sent.opcode()).isEqualTo(WorkCompletionOpcode.SEND);
        assertThat(sent.qpNumber()).isEqualTo(client.qp().qpn());
        assertThat(server.buffer().slice(0, length)).isEqualTo(client.buffer().slice(100, length));
        for (int i = length; i < server.buffer().capacity(); i++) {
            assertThat(server.buffer().get(i)).isZero();
        }
    }

    @Test
    void goesAroundTheRingsManyTimes() throws Exception {
        fill(client.buffer(), 1);
        for (int i = 0; i < MESSAGES; i++) {
            int length = i % 1000;
            server.receive(i, 4096, Pvrdma.LONGEST_MESSAGE);
            client.send(-i, i, length);
            WorkCompletion received = server.success();
            assertThat(received.wrId()).isEqualTo(i);
            assertThat(received.byteLength()).isEqualTo(length);
            assertThat(client.success().wrId()).isEqualTo(-i);
            assertThat(server.buffer().slice(4096, length))
                    .isEqualTo(client.buffer().slice(i, length));
        }
    }

    @Test
    void takesAsManyRequestsAsTheQueuesHold() throws Exception {
        fill(client.buffer(), 2);
        assertThat(client.qp().capacities().maxSendWr()).isEqualTo(PvrdmaEnd.DEPTH);
        for (int round = 0; round < 3; round++) {
            SendWorkRequest[] sends = new SendWorkRequest[PvrdmaEnd.DEPTH];
            for (int i = 0; i < PvrdmaEnd.DEPTH; i++) {
                server.receive(i, 512 * i, 512);
                sends[i] = new SendWorkRequest(1)
                        .wrId(i)
                        .send()
                        .add(client.region(), 512L * i, 512)
                        .signaled();
            }
            assertThat(client.qp().postSend(sends, sends.length)).isEqualTo(sends.length);
            for (int i = 0; i < PvrdmaEnd.DEPTH; i++) {
                assertThat(server.success().wrId()).isEqualTo(i);
                assertThat(client.success().wrId()).isEqualTo(i);
            }
            assertThat(server.buffer().mismatch(client.buffer())).isEqualTo(-1);
        }
    }

    @Test
    void takesAsManyRequestsAsWereAskedForThoughTheDeviceGrantsPowersOfTwo() throws Exception {
        var qp = client.pd()
                .createQp(QueuePairOptions.builder()
                        .cq(client.cq())
                        .maxSendWr(5)
                        .maxReceiveWr(9)
                        .maxSendSge(3)
                        .maxReceiveSge(1)
                        .build());
        assertThat(qp.capacities().maxSendWr()).isEqualTo(5);
        assertThat(qp.capacities().maxReceiveWr()).isEqualTo(9);
        assertThat(qp.capacities().maxSendSge()).isEqualTo(4);
        assertThat(qp.capacities().maxInline()).isZero();
        assertThat(context.createCq(33).capacity()).isEqualTo(64);
    }

    @Test
    void gathersFourPiecesAndScattersIntoTwo() throws Exception {
        fill(client.buffer(), 3);
        server.qp()
                .postReceive(new ReceiveWorkRequest(2)
                        .wrId(22)
                        .add(server.region(), 4000, 300)
                        .add(server.region(), 0, 800));
        client.qp()
                .postSend(new SendWorkRequest(4)
                        .send()
                        .signaled()
                        .add(client.region(), 0, 1)
                        .add(client.region(), 100, 400)
                        .add(client.region(), 3000, 0)
                        .add(client.region(), 5000, 499));
        assertThat(server.success().byteLength()).isEqualTo(900);
        client.success();
        ByteBuffer expected = ByteBuffer.allocate(900)
                .put(client.buffer().slice(0, 1))
                .put(client.buffer().slice(100, 400))
                .put(client.buffer().slice(5000, 499))
                .flip();
        assertThat(server.buffer().slice(4000, 300)).isEqualTo(expected.slice(0, 300));
        assertThat(server.buffer().slice(0, 600)).isEqualTo(expected.slice(300, 600));
        assertThat(server.buffer().get(600)).isZero();
    }

    @Test
    void aMessageThatDoesNotFitFailsBothEnds() throws Exception {
        server.receive(1, 0, 10);
        server.receive(2, 0, 10);
        client.send(11, 0, 11);
        assertThat(client.completion().status()).isEqualTo(WorkCompletionStatus.REM_INV_REQ_ERR);
        assertThat(server.completion().status()).isEqualTo(WorkCompletionStatus.LOC_LEN_ERR);
        WorkCompletion flushed = server.completion();
        assertThat(flushed.wrId()).isEqualTo(2);
        assertThat(flushed.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
    }

    @Test
    void aMessageWaitsForAReceive() throws Exception {
        fill(client.buffer(), 4);
        client.send(11, 0, 50);
        assertThat(client.cq().poll(WorkCompletion.array(1))).isZero();
        server.receive(22, 0, 50);
        assertThat(client.success().wrId()).isEqualTo(11);
        assertThat(server.success().wrId()).isEqualTo(22);
        assertThat(server.buffer().slice(0, 50)).isEqualTo(client.buffer().slice(0, 50));
    }

    @Test
    void startsAnewAfterAReset() throws Exception {
        server.receive(1, 0, 10);
        client.send(11, 0, 11);
        client.completion();
        for (PvrdmaEnd end : new PvrdmaEnd[] {client, server}) {
            end.qp().modify(QpAttr.builder().state(QpState.RESET).build());
        }
        assertThat(server.cq().poll(WorkCompletion.array(1))).isZero();
        RawConnection.connect(client.qp(), server.qp(), Pvrdma.way(context));
        server.receive(2, 0, 10);
        client.send(12, 0, 10);
        assertThat(server.success().wrId()).isEqualTo(2);
        assertThat(client.success().wrId()).isEqualTo(12);
    }

    @Test
    void completionsOfAClosedQueuePairAreForgotten() throws Exception {
        server.receive(1, 0, 10);
        server.receive(2, 0, 10);
        client.send(11, 0, 10);
        client.send(12, 0, 10);
        client.success();
        assertThat(server.success().wrId()).isEqualTo(1);
        server.qp().close();
        assertThat(server.cq().poll(WorkCompletion.array(1))).isZero();
    }

    @Nightly
    @Test
    void theQueuesOfAClosedContextAreClosed() throws Exception {
        server.receive(1, 0, 10);
        context.close();
        assertThatThrownBy(() -> client.send(11, 0, 10)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.cq().poll(WorkCompletion.array(1))).isInstanceOf(IllegalStateException.class);
    }
}
