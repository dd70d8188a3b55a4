// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The data path of soft-iWARP. What iWARP does not have, or does in another way, is overridden: there is no
 * immediate data, a completed RDMA write is on its way and not in the peer's memory, and a message without a receive ends the
 * connection.
 */
@RequiresSiw
class DataPathSiwIT extends DataPathScenarios {
    /** As many as an element has room for. */
    @Override
    int inlineBytes() {
        return 80;
    }

    private void assertRefused(SendWorkRequest request, String reason) {
        assertThatThrownBy(() -> client().qp().postSend(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("siw")
                .hasMessageContaining(reason);
    }

    private SendWorkRequest some(SendWorkRequest request) {
        return request.add(client().region(), 0, 8);
    }

    /** The message that follows a write arrives after it. */
    private void writeAndTell(long offset, int length) throws Exception {
        server().receive(22, 0);
        SendWorkRequest write = new SendWorkRequest(1)
                .wrId(11)
                .signaled()
                .rdmaWrite(server().region().iova() + offset, server().region().rkey())
                .add(client().region(), 0, length);
        SendWorkRequest message = new SendWorkRequest(0).wrId(12).signaled().send();
        assertThat(client().qp().postSend(new SendWorkRequest[] {write, message}, 2))
                .isEqualTo(2);
        WorkCompletion written = client().success();
        assertThat(written.opcode()).isEqualTo(WorkCompletionOpcode.RDMA_WRITE);
        assertThat(written.wrId()).isEqualTo(11);
        assertThat(client().success().wrId()).isEqualTo(12);
        assertThat(server().success().wrId()).isEqualTo(22);
    }

    @Override
    @Test
    void writesThePeersMemoryWithoutItsDoing() throws Exception {
        writeAndTell(0, 5000);
        assertThat(server().buffer().slice(0, 5000)).isEqualTo(client().buffer().slice(0, 5000));
        assertThat(server().buffer().get(5000)).isZero();
    }

    @Override
    @Test
    void writesAtAnOffset() throws Exception {
        writeAndTell(100, 10);
        assertThat(server().buffer().slice(100, 10)).isEqualTo(client().buffer().slice(0, 10));
        assertThat(server().buffer().get(99)).isZero();
        assertThat(server().buffer().get(110)).isZero();
    }

    @Override
    @ParameterizedTest
    @ValueSource(ints = 1)
    void sendsANumberAlong(int number) {
        assertRefused(some(new SendWorkRequest(1).sendWithImmediate(number)), "no immediate data");
    }

    @Override
    @Test
    void writesAndTellsThePeer() {
        assertRefused(some(new SendWorkRequest(1).rdmaWriteWithImmediate(0, 0, 4711)), "no immediate data");
    }

    @Test
    void refusesAtomicOperations() {
        assertRefused(some(new SendWorkRequest(1).fetchAndAdd(0, 0, 1)), "no atomic operations");
        assertRefused(some(new SendWorkRequest(1).compareAndSwap(0, 0, 1, 2)), "no atomic operations");
    }

    @Test
    void readsNothing() throws Exception {
        client().qp()
                .postSend(new SendWorkRequest(1)
                        .wrId(11)
                        .signaled()
                        .rdmaRead(server().region().iova(), server().region().rkey())
                        .add(client().region(), 0, 0));
        assertThat(client().success().wrId()).isEqualTo(11);
        sends(64);
    }

    @Test
    void sendsEmptyPieces() throws Exception {
        server().receive(22, 64);
        client().qp()
                .postSend(new SendWorkRequest(2)
                        .wrId(11)
                        .signaled()
                        .send()
                        .add(client().region(), 0, 0)
                        .add(client().region(), 8, 0));
        assertThat(server().success().byteLength()).isZero();
        assertThat(client().success().wrId()).isEqualTo(11);
        sends(64);
    }

    @Test
    void refusesToReadIntoSeveralPieces() {
        SendWorkRequest read = new SendWorkRequest(2)
                .rdmaRead(server().region().iova(), server().region().rkey());
        assertRefused(some(some(read)), "2 pieces");
    }

    /** The queue is full until the doorbell, which the kernel answers by sending everything. */
    @Override
    @Test
    void losesNothingWhenTheSendQueueIsFull() throws Exception {
        int depth = client().qp().capacities().maxSendWr();
        SendWorkRequest[] requests = new SendWorkRequest[depth + 5];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = new SendWorkRequest(1).wrId(i).signaled().send().add(client().region(), i, 1);
        }
        for (int lap = 0; lap < 5; lap++) {
            for (int i = 0; i < depth; i++) {
                server().qp().postReceive(new ReceiveWorkRequest(1).wrId(i).add(server().region(), 16L * i, 16));
            }
            int posted = client().qp().postSend(requests, requests.length);
            assertThat(posted).isEqualTo(depth);
            for (int i = 0; i < posted; i++) {
                assertThat(server().success().wrId()).isEqualTo(i);
                assertThat(client().success().wrId()).isEqualTo(i);
                assertThat(server().buffer().get(16 * i))
                        .isEqualTo(client().buffer().get(i));
            }
        }
    }

    @Override
    @Test
    void postsAsManyOfSeveralAsThereIsRoomFor() {
        SendWorkRequest[] requests = {
            some(new SendWorkRequest(1).send()), some(new SendWorkRequest(1).fetchAndAdd(0, 0, 1))
        };
        assertThatThrownBy(() -> client().qp().postSend(requests, 2)).hasMessageContaining("no atomic operations");
        assertThat(client().cq().poll(WorkCompletion.array(1)))
                .as("nothing was posted")
                .isZero();
    }
}
