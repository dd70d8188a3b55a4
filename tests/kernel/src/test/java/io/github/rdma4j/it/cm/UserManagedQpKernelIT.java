// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections for queue pairs that the connection manager has not made: numbers stand for them here. */
@RequiresKernel
class UserManagedQpKernelIT {
    private static final int EISCONN = 106;
    private static final int INIT_MASK = 0x39;
    private static final int RTR_MASK = 0x129181;
    private static final int RTS_MASK = 0x12e01;
    private static final int DATAGRAM_INIT_MASK = 0x71;
    private static final int UDP_QKEY = 0x01234567;
    private static final Ece OFFER = new Ece(0x15b3, 0x1234);

    private final int activeQp = CmSides.newQpNumber();
    private final int passiveQp = CmSides.newQpNumber();
    private CmSides sides;

    @BeforeEach
    void open() throws RdmaException {
        sides = CmSides.open();
    }

    @AfterEach
    void close() throws RdmaException {
        sides.close();
    }

    private static ConnectionParameters qp(int number) {
        return ConnectionParameters.builder().qpNumber(number).build();
    }

    private static void assertErrno(int errno, QpAttrCall call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        ErrnoException.class,
                        e -> assertThat(e.errno().number()).isEqualTo(errno));
    }

    private interface QpAttrCall {
        void run() throws RdmaException;
    }

    private CmSides.Pair requestedWithout() throws RdmaException, InterruptedException {
        CmId client = sides.routed();
        client.connect(qp(activeQp));
        return new CmSides.Pair(client, sides.request());
    }

    @Test
    void refusesToEstablishForAnIdThatDoesSoByItself() throws Exception {
        CmSides.Pair pair = sides.connected();
        assertThatThrownBy(() -> pair.client().userManagedQp().establish()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void reportsTheQueuePairAttributesOfEachState() throws Exception {
        CmId client = sides.routed();
        QpAttr before = client.userManagedQp().attributes(QpState.INIT);
        assertThat(before.mask()).isEqualTo(INIT_MASK);
        assertThat(before.state()).isEqualTo(QpState.INIT);
        assertThat(before.portNum()).isEqualTo(1);
        assertThat(before.access()).isEmpty();
        client.connect(qp(activeQp));
        assertErrno(Errno.EINVAL.number(), () -> client.userManagedQp().attributes(QpState.RTR));
        CmId server = sides.request();
        assertThat(server.userManagedQp().attributes(QpState.INIT).mask()).isEqualTo(INIT_MASK);
        QpAttr receive = server.userManagedQp().attributes(QpState.RTR);
        assertThat(receive.mask()).isEqualTo(RTR_MASK);
        assertThat(receive.destQpNum()).isEqualTo(activeQp);
        assertThat(receive.ahAttr().dgid()).isEqualTo(client.sourceGid().orElseThrow());
        QpAttr send = server.userManagedQp().attributes(QpState.RTS);
        assertThat(send.mask()).isEqualTo(RTS_MASK);
        assertThat(send.retryCnt()).isEqualTo(7);
        server.accept(qp(passiveQp));
        Events.expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
        assertThat(client.userManagedQp().attributes(QpState.INIT).access()).isNotEmpty();
        assertThat(client.userManagedQp().attributes(QpState.RTR).mask()).isEqualTo(RTR_MASK);
        assertThat(client.userManagedQp().attributes(QpState.RTR).destQpNum()).isEqualTo(passiveQp);
        assertThat(client.userManagedQp().attributes(QpState.RTR).rqPsn()).isEqualTo(send.sqPsn());
        assertThat(client.userManagedQp().attributes(QpState.RTS).mask()).isEqualTo(RTS_MASK);
    }

    @Test
    void tellsTheQueueKeyOfDatagrams() throws Exception {
        CmId datagrams = sides.clients().createId(PortSpace.UDP);
        assertErrno(Errno.EINVAL.number(), () -> datagrams.userManagedQp().attributes(QpState.INIT));
        datagrams.bind(new InetSocketAddress(Rxe.IPV4, 0));
        QpAttr init = datagrams.userManagedQp().attributes(QpState.INIT);
        assertThat(init.mask()).isEqualTo(DATAGRAM_INIT_MASK);
        assertThat(init.qkey()).isEqualTo(UDP_QKEY);
    }

    @Test
    void isEstablishedByDataThatCameBeforeThePeersLastWord() throws Exception {
        CmSides.Pair pair = requestedWithout();
        CmId server = pair.server();
        server.accept(qp(passiveQp));
        server.userManagedQp().notifyOf(AsyncEventType.COMM_EST);
        assertThat(Events.expect(sides.servers(), CmEventType.ESTABLISHED).id()).isSameAs(server);
        assertThat(server.state()).isEqualTo(CmState.ESTABLISHED);
    }

    @Test
    void saysThatItIsEstablishedAlready() throws Exception {
        CmSides.Pair pair = sides.connected();
        assertErrno(EISCONN, () -> pair.server().userManagedQp().notifyOf(AsyncEventType.COMM_EST));
        assertErrno(Errno.EINVAL.number(), () -> pair.server().userManagedQp().notifyOf(AsyncEventType.SQ_DRAINED));
    }

    @Test
    void carriesTheOptionsOfTheDriversBothWays() throws Exception {
        CmId client = sides.routed();
        client.userManagedQp().setLocalEce(OFFER);
        client.connect(qp(activeQp));
        CmEvent request = Events.expect(sides.servers(), CmEventType.CONNECT_REQUEST);
        assertThat(request.remoteEce()).isEqualTo(OFFER);
        CmId server = request.id();
        assertThat(server.userManagedQp().remoteEce()).isEqualTo(OFFER);
        server.userManagedQp().setLocalEce(new Ece(OFFER.vendorId(), 0x34));
        server.accept(qp(passiveQp));
        CmEvent response = Events.expect(sides.clients(), CmEventType.CONNECT_RESPONSE);
        assertThat(response.remoteEce()).isEqualTo(new Ece(OFFER.vendorId(), 0x34));
        assertThat(client.userManagedQp().remoteEce()).isEqualTo(response.remoteEce());
    }

    @Test
    void carriesNoOptionsUnlessToldSo() throws Exception {
        CmSides.Pair pair = requestedWithout();
        assertThat(pair.server().userManagedQp().remoteEce()).isEqualTo(Ece.NONE);
        pair.server().accept(qp(passiveQp));
        assertThat(Events.expect(sides.clients(), CmEventType.CONNECT_RESPONSE).remoteEce())
                .isEqualTo(Ece.NONE);
    }

    @Test
    void refusesEceWithoutAVendorAndForItsOwnQueuePair() throws Exception {
        CmId client = sides.routed();
        assertThatThrownBy(() -> client.userManagedQp().setLocalEce(new Ece(0, 1)))
                .isInstanceOf(IllegalArgumentException.class);
        CmId own = sides.connecting();
        assertThatThrownBy(() -> own.userManagedQp().setLocalEce(OFFER)).isInstanceOf(IllegalStateException.class);
    }
}
