// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams by address handles, between queue pairs that no connection manager has touched. */
abstract class DatagramScenarios extends DeviceScenarios {
    private static final int LENGTH = 500;
    private static final int RECEIVE = Grh.BYTES + LENGTH;

    private Datagrams datagrams;
    private Datagrams.Node sender;
    private Datagrams.Node receiver;
    private AddressHandle way;

    final Datagrams datagrams() {
        return datagrams;
    }

    @BeforeEach
    void open() throws Exception {
        datagrams = openDevice();
        sender = datagrams.node(options -> options.maxInline(64));
        receiver = datagrams.node();
        way = datagrams.way(Rxe.IPV4);
        for (int i = 0; i < LENGTH; i++) {
            sender.buffer().put(i, (byte) (i + 1));
        }
    }

    @AfterEach
    void close() throws Exception {
        datagrams.close();
    }

    private void send(SendWorkRequest request) throws RdmaException {
        sender.qp().postSend(request.to(way, receiver.qp().qpn(), Datagrams.QKEY));
    }

    private void assertReceived(Datagrams.Node node, int length) {
        ByteBuffer received = node.buffer().slice(Grh.BYTES, length);
        assertThat(received.mismatch(sender.buffer().slice(0, length))).isEqualTo(-1);
    }

    @Test
    void sendsToAnotherQueuePair() throws Exception {
        receiver.receive(22, RECEIVE);
        send(sender.message(LENGTH).send());
        assertThat(sender.success().wrId()).isEqualTo(7);
        WorkCompletion received = receiver.success();
        assertThat(received.wrId()).isEqualTo(22);
        assertThat(received.opcode()).isEqualTo(WorkCompletionOpcode.RECV);
        assertThat(received.byteLength()).isEqualTo(Grh.BYTES + LENGTH);
        assertThat(received.sourceQp()).isEqualTo(sender.qp().qpn());
        assertThat(received.pkeyIndex()).isZero();
        assertThat(List.of(received.slid(), received.sl(), received.dlidPathBits()))
                .containsOnly(0);
        assertThat(received.hasGrh()).isTrue();
        assertThat(received.hasImmediate()).isFalse();
        assertReceived(receiver, LENGTH);
    }

    @Test
    void sendsANumberAlong() throws Exception {
        receiver.receive(22, RECEIVE);
        send(sender.message(8).sendWithImmediate(0x0102_0304));
        WorkCompletion received = receiver.success();
        assertThat(received.hasImmediate()).isTrue();
        assertThat(received.immediate()).isEqualTo(0x0102_0304);
        assertThat(received.hasGrh()).isTrue();
        assertReceived(receiver, 8);
    }

    @Test
    void sendsInlineAndNothingAtAll() throws Exception {
        receiver.receive(1, RECEIVE);
        receiver.receive(2, RECEIVE);
        SendWorkRequest request = new SendWorkRequest(0).send();
        send(request.inline(sender.buffer().slice(0, 64)));
        assertThat(receiver.success().byteLength()).isEqualTo(Grh.BYTES + 64);
        assertReceived(receiver, 64);
        send(request.clear());
        assertThat(receiver.success().byteLength()).isEqualTo(Grh.BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void tellsWhereADatagramCameFrom(String host) throws Exception {
        way = datagrams.way(host);
        receiver.receive(22, RECEIVE);
        send(sender.message(8).send());
        WorkCompletion received = receiver.success();
        Grh grh = Grh.decode(receiver.buffer(), 0);
        assertThat(grh.source()).isEqualTo(Datagrams.gid(host));
        assertThat(grh.destination()).isEqualTo(Datagrams.gid(host));
        assertThat(grh.hopLimit()).isPositive();
        assertReceived(receiver, 8);
        AhAttr address = datagrams.context().ahAttrFromWc(received, receiver.buffer(), 0, Datagrams.PORT);
        assertThat(address.dgid()).isEqualTo(grh.source());
        assertThat(address.sgidIndex()).isEqualTo(datagrams.gidIndex(host));
        replyTo(received.sourceQp(), address);
    }

    private void replyTo(int qpn, AhAttr address) throws RdmaException {
        sender.success();
        sender.receive(33, RECEIVE);
        try (AddressHandle back = datagrams.pd().createAh(address)) {
            receiver.qp().postSend(receiver.message(8).send().to(back, qpn, Datagrams.QKEY));
            assertThat(sender.success().wrId()).isEqualTo(33);
        }
    }

    @Test
    void dropsADatagramWithAnotherKey() throws Exception {
        receiver.receive(1, RECEIVE);
        sender.qp().postSend(sender.message(8).send().to(way, receiver.qp().qpn(), Datagrams.QKEY + 1));
        assertThat(sender.success().wrId()).isEqualTo(7);
        send(sender.message(16).send());
        assertThat(receiver.success().byteLength()).isEqualTo(Grh.BYTES + 16);
    }

    @Test
    void sendsAsMuchAsOnePacketTakesAndNoMore() throws Exception {
        int mtu = datagrams.context().queryPort(Datagrams.PORT).activeMtu().bytes();
        receiver.receive(1, Grh.BYTES + mtu);
        send(sender.message(mtu).send());
        assertThat(receiver.success().byteLength()).isEqualTo(Grh.BYTES + mtu);
        assertThatThrownBy(() -> send(sender.message(mtu + 1).send()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one packet")
                .hasMessageContaining(String.valueOf(mtu));
        assertThat(sender.success().wrId()).isEqualTo(7);
        assertThat(sender.cq().poll(WorkCompletion.array(1))).isZero();
    }

    @Test
    void refusesADatagramWithoutAddress() {
        assertThatThrownBy(() -> sender.qp().postSend(sender.message(8).send()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs a destination");
    }

    @Test
    void refusesAnAddressOfAnotherProtectionDomain() throws Exception {
        AddressHandle foreign = datagrams.context().allocatePd().createAh(way.attributes());
        assertThatThrownBy(() -> sender.qp().postSend(sender.message(8).to(foreign, 1, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another protection domain");
    }

    @Test
    void refusesAClosedAddress() throws Exception {
        way.close();
        assertThatThrownBy(() -> send(sender.message(8).send()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void survivesAddressesThatAreClosedUnderTheirDatagrams() throws Exception {
        SendWorkRequest request = sender.message(8).send();
        int posted = 0;
        while (posted < 200 && sender.qp().query().state() == QpState.RTS) {
            try (AddressHandle shortLived = datagrams.pd().createAh(way.attributes())) {
                sender.qp().postSend(request.to(shortLived, receiver.qp().qpn(), Datagrams.QKEY));
                posted++;
            }
            assertThat(sender.completion().statusName()).isIn("SUCCESS", "LOC_QP_OP_ERR", "WR_FLUSH_ERR");
        }
        assertThat(posted).isPositive();
    }

    @Test
    void makesNoWayToAHostThatDoesNotAnswer() throws Exception {
        AhAttr silent = AhAttr.to(Datagrams.gid(Rxe.SILENT), datagrams.gidIndex(Rxe.IPV4), Datagrams.PORT);
        assertThatThrownBy(() -> datagrams.pd().createAh(silent)).isInstanceOf(ErrnoException.class);
    }

    @Test
    void doesNothingButSendDatagrams() {
        for (SendWorkRequest request : new SendWorkRequest[] {
            sender.message(8).rdmaWrite(0, 0),
            sender.message(8).rdmaWriteWithImmediate(0, 0, 1),
            sender.message(8).rdmaRead(0, 0)
        }) {
            assertThatThrownBy(() -> send(request))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has type UD")
                    .hasMessageContaining("RDMA");
        }
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"XRC_INI", "XRC_TGT"})
    void makesQueuePairsOfEachType(QueuePairType type) throws Exception {
        QueuePairOptions options =
                QueuePairOptions.builder().type(type).cq(sender.cq()).build();
        try (QueuePair qp = datagrams.pd().createQp(options)) {
            assertThat(qp.type()).isEqualTo(type);
            assertThat(qp.state()).isEqualTo(QpState.RESET);
            assertThat(qp).asString().contains(type.name());
        }
    }
}
