// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresSiw;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.QueueFullException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of two queue pairs of Java over soft-iWARP. */
@RequiresSiw
class ConnectionsSiwIT {
    private static final int BYTES = 65_536;
    private static final int[] SIZES = {0, 1, 64, 1024, 1460, 1461, 4096, BYTES};
    private static final int PINGS = 1000;

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void carriesAThousandPingsOfManySizes(String address) throws Exception {
        Random random = new Random(4);
        try (Loopback ends = Loopback.setup().address(address).bytes(2 * BYTES).connect()) {
            Loopback.Side client = ends.client();
            Loopback.Side server = ends.server();
            assertThat(client.qp().state()).isEqualTo(QpState.RTS);
            assertThat(server.qp().state()).isEqualTo(QpState.RTS);
            for (int i = 0; i < PINGS; i++) {
                int length = SIZES[i % SIZES.length];
                byte[] message = new byte[length];
                random.nextBytes(message);
                server.receive(i, BYTES);
                client.buffer().put(0, message);
                client.send(i, length);
                client.success();
                assertThat(server.success().byteLength()).isEqualTo(length);
                client.receive(i, BYTES);
                client.buffer().put(0, new byte[length]);
                server.send(i, length);
                server.success();
                assertThat(client.success().wrId()).isEqualTo(i);
                byte[] echo = new byte[length];
                client.buffer().get(0, echo);
                assertThat(echo).isEqualTo(message);
            }
        }
    }

    @Test
    void letsTheServerSendFirst() throws Exception {
        try (Loopback ends = Loopback.connected()) {
            ends.client().receive(1, 64);
            ends.server().send(2, 64);
            ends.server().success();
            assertThat(ends.client().success().wrId()).isEqualTo(1);
        }
    }

    @Test
    void tellsBothSidesOfTheEnd() throws Exception {
        try (Loopback ends = Loopback.connected()) {
            ends.client().receive(1, 64);
            ends.server().receive(2, 64);
            ends.server().id().disconnect();
            ends.client().expectEvent(CmEventType.DISCONNECTED);
            ends.server().expectEvent(CmEventType.DISCONNECTED);
            assertThat(ends.client().completion().statusName()).isEqualTo("WR_FLUSH_ERR");
            assertThat(ends.server().completion().statusName()).isEqualTo("WR_FLUSH_ERR");
            ends.client().id().disconnect();
        }
    }

    @Test
    void carriesPrivateDataAndDepths() throws Exception {
        try (CmSides sides = CmSides.open()) {
            CmId client = sides.routed();
            client.createQp(QueuePairOptions.DEFAULT);
            client.connect(ConnectionParameters.builder()
                    .privateData(new byte[] {1, 2, 3})
                    .responderResources(2)
                    .initiatorDepth(3)
                    .build());
            CmEvent request = Events.expect(sides.servers(), CmEventType.CONNECT_REQUEST);
            assertThat(request.privateData()).startsWith(1, 2, 3);
            request.id().reject(new byte[] {9, 8});
            CmEvent rejected = Events.expect(sides.clients(), CmEventType.REJECTED);
            assertThat(rejected.privateData()).startsWith(9, 8);
            assertThat(rejected.status()).isEqualTo(-Errno.ECONNRESET.number());
        }
    }

    @Test
    void survivesAContextThatIsClosedUnderItsUsers() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (Loopback ends = Loopback.connected()) {
                AtomicBoolean stop = new AtomicBoolean();
                WorkCompletion[] into = WorkCompletion.array(4);
                Await.Running<Boolean> poller =
                        spin(stop, () -> ends.client().cq().poll(into));
                Await.Running<Boolean> sender = spin(stop, () -> sendIfThereIsRoom(ends.client()));
                Await.Running<Boolean> breaker =
                        spin(stop, () -> ends.client().qp().moveToError());
                ends.client().pd().close();
                ends.client().cq().close();
                stop.set(true);
                assertThat(poller.result()).isTrue();
                assertThat(sender.result()).isTrue();
                assertThat(breaker.result()).isTrue();
            }
        }
    }

    private interface Use {
        void run() throws RdmaException;
    }

    private static Await.Running<Boolean> spin(AtomicBoolean stop, Use use) {
        return Await.inThread(() -> {
            while (!stop.get()) {
                try {
                    use.run();
                } catch (IllegalStateException closed) {
                    Thread.onSpinWait();
                }
            }
            return true;
        });
    }

    private static void sendIfThereIsRoom(Loopback.Side side) throws RdmaException {
        try {
            side.send(1, 8);
        } catch (QueueFullException full) {
            Thread.onSpinWait();
        } catch (ErrnoException ended) {
            // The peer has no receive and ends the connection, and this end is not in ERR yet.
            assertThat(ended).hasMessageContaining("ENOTCONN");
        }
    }
}
