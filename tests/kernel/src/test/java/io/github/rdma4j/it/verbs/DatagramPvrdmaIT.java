// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.Pvrdma;
import io.github.rdma4j.it.support.PvrdmaEnd;
import io.github.rdma4j.it.support.RequiresPvrdma;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.net.InetAddress;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Datagrams on a driver whose kernel makes no address handles for programs: the address is resolved by this process and written
 * into each work request.
 */
@RequiresPvrdma
@Nightly
class DatagramPvrdmaIT {
    private static final int MESSAGES = 100;

    private DeviceContext context;
    private PvrdmaEnd sender;
    private PvrdmaEnd receiver;
    private AddressHandle way;

    @BeforeEach
    void open() throws Exception {
        context = Pvrdma.open();
        sender = PvrdmaEnd.datagrams(context);
        receiver = PvrdmaEnd.datagrams(context);
        way = sender.pd().createAh(Pvrdma.way(context));
        byte[] bytes = new byte[sender.buffer().capacity()];
        new Random(5).nextBytes(bytes);
        sender.buffer().put(0, bytes);
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    private void send(long wrId, int offset, int length) throws Exception {
        sender.sendTo(way, receiver.qp().qpn(), wrId, offset, length);
    }

    private void assertReceived(int at, int offset, int length) {
        assertThat(receiver.buffer().slice(at + Grh.BYTES, length))
                .isEqualTo(sender.buffer().slice(offset, length));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 500, Pvrdma.LONGEST_MESSAGE})
    void sendsToAnotherQueuePair(int length) throws Exception {
        receiver.receive(22, 64, Grh.BYTES + Pvrdma.LONGEST_MESSAGE);
        send(11, 100, length);
        WorkCompletion sent = sender.success();
        assertThat(sent.wrId()).isEqualTo(11);
        assertThat(sent.opcode()).isEqualTo(WorkCompletionOpcode.SEND);
        WorkCompletion received = receiver.success();
        assertThat(received.wrId()).isEqualTo(22);
        assertThat(received.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
        assertThat(received.byteLength()).isEqualTo(Grh.BYTES + length);
        assertThat(received.sourceQp()).isEqualTo(sender.qp().qpn());
        assertThat(received.hasGrh()).isTrue();
        assertReceived(64, 100, length);
        for (int i = 64 + Grh.BYTES + length; i < receiver.buffer().capacity(); i++) {
            assertThat(receiver.buffer().get(i)).isZero();
        }
    }

    @Test
    void theMessageLiesBehindTheRouteHeader() throws Exception {
        receiver.receive(22, 0, Grh.BYTES + 10);
        send(11, 0, 10);
        receiver.success();
        Grh grh = Grh.decode(receiver.buffer(), 0);
        assertThat(grh.source()).isEqualTo(Pvrdma.gid(context).gid());
        assertThat(grh.destination()).isEqualTo(Pvrdma.gid(context).gid());
        assertReceived(0, 0, 10);
    }

    @Test
    void goesAroundTheRingsManyTimes() throws Exception {
        for (int i = 0; i < MESSAGES; i++) {
            int length = (i * 37) % 1000;
            receiver.receive(i, 4096, Grh.BYTES + Pvrdma.LONGEST_MESSAGE);
            send(-i, i, length);
            WorkCompletion received = receiver.success();
            assertThat(received.wrId()).isEqualTo(i);
            assertThat(received.byteLength()).isEqualTo(Grh.BYTES + length);
            assertThat(sender.success().wrId()).isEqualTo(-i);
            assertReceived(4096, i, length);
        }
    }

    @Test
    void answersToWhereADatagramCameFrom() throws Exception {
        receiver.receive(1, 0, Grh.BYTES + 10);
        send(11, 0, 10);
        WorkCompletion received = receiver.success();
        int from = received.sourceQp();
        sender.success();
        sender.receive(2, 1000, Grh.BYTES + 10);
        try (AddressHandle reply = receiver.pd().createAhFromWc(received, receiver.buffer(), 0, Datagrams.PORT)) {
            receiver.sendTo(reply, from, 12, Grh.BYTES, 10);
            assertThat(sender.success().sourceQp()).isEqualTo(receiver.qp().qpn());
            receiver.success();
        }
        assertThat(sender.buffer().slice(1000 + Grh.BYTES, 10))
                .isEqualTo(sender.buffer().slice(0, 10));
    }

    @Test
    void aWrongKeyAndAnUnknownQueuePairLoseTheMessage() throws Exception {
        receiver.receive(22, 0, Grh.BYTES + 100);
        sender.qp()
                .postSend(new SendWorkRequest(1)
                        .wrId(1)
                        .send()
                        .to(way, receiver.qp().qpn(), Datagrams.QKEY + 1)
                        .add(sender.region(), 0, 10)
                        .signaled());
        assertThat(sender.success().wrId()).isEqualTo(1);
        sender.sendTo(way, 1023, 2, 0, 20);
        assertThat(sender.success().wrId()).isEqualTo(2);
        send(3, 0, 30);
        assertThat(sender.success().wrId()).isEqualTo(3);
        assertThat(receiver.success().byteLength()).isEqualTo(Grh.BYTES + 30);
        assertThat(receiver.cq().poll(WorkCompletion.array(1))).isZero();
    }

    @Test
    void saysThatTheHostDoesNotAnswer() throws Exception {
        AhAttr own = Pvrdma.way(context);
        AhAttr silent = AhAttr.to(Gid.of(InetAddress.getByName(Rxe.SILENT)), own.sgidIndex(), own.portNum());
        assertThatThrownBy(() -> sender.pd().createAh(silent))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EHOSTUNREACH))
                .hasMessageContaining(Rxe.SILENT);
        receiver.receive(22, 0, Grh.BYTES + 100);
        send(3, 0, 30);
        receiver.success();
    }

    @Test
    void saysWhichAddressesItDoesNotTake() throws Exception {
        AhAttr own = Pvrdma.way(context);
        assertThatThrownBy(() -> sender.pd().createAh(AhAttr.to(own.dgid(), 77, own.portNum())))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining("sgidIndex is 77");
        assertThatThrownBy(() -> sender.pd().createAh(AhAttr.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be global");
    }

    @Test
    void aClosedAddressHandleIsNotUsed() throws Exception {
        way.close();
        assertThatThrownBy(() -> send(1, 0, 10)).isInstanceOf(IllegalStateException.class);
    }
}
