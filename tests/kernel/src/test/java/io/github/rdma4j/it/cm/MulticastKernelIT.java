// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagram queue pairs in multicast groups. */
@RequiresKernel
class MulticastKernelIT {
    private static final String GROUP = "239.77.1.2";
    private static final Gid GID = Datagrams.gid(GROUP);

    private Datagrams datagrams;
    private DatagramChannel membership;
    private Datagrams.Node sender;
    private Datagrams.Node first;
    private Datagrams.Node second;
    private AddressHandle group;

    @BeforeEach
    void open() throws Exception {
        membership = DatagramChannel.open(StandardProtocolFamily.INET);
        membership.bind(new InetSocketAddress(0));
        membership.join(InetAddress.getByName(GROUP), NetworkInterface.getByName(Rxe.NETDEV));
        datagrams = Datagrams.open();
        sender = datagrams.node();
        first = datagrams.node();
        second = datagrams.node();
        group = datagrams.pd().createAh(AhAttr.to(GID, datagrams.gidIndex(Rxe.IPV4), Datagrams.PORT));
    }

    @AfterEach
    void close() throws Exception {
        datagrams.close();
        membership.close();
    }

    private void send(int content) throws RdmaException {
        sender.buffer().putInt(0, content);
        SendWorkRequest request = sender.message(Integer.BYTES).send();
        sender.qp().postSend(request.to(group, SendWorkRequest.MULTICAST_QPN, Datagrams.QKEY));
        assertThat(sender.success().isReceive()).isFalse();
    }

    private void assertReceives(Datagrams.Node node, int content) {
        WorkCompletion received = node.success();
        assertThat(received.sourceQp()).isEqualTo(sender.qp().qpn());
        assertThat(received.hasGrh()).isTrue();
        assertThat(node.buffer().getInt(Grh.BYTES)).isEqualTo(content);
        assertThat(Grh.decode(node.buffer(), 0).source()).isEqualTo(Datagrams.gid(Rxe.IPV4));
        assertThat(Grh.decode(node.buffer(), 0).destination()).isEqualTo(GID);
    }

    @Test
    void deliversToAllThatAreAttached() throws Exception {
        first.qp().attachMulticast(GID, 0);
        second.qp().attachMulticast(GID, 0);
        first.receive(1, 100);
        second.receive(1, 100);
        send(11);
        assertReceives(first, 11);
        assertReceives(second, 11);
    }

    @Test
    void deliversNoMoreOnceDetached() throws Exception {
        first.qp().attachMulticast(GID, 0);
        second.qp().attachMulticast(GID, 0);
        first.qp().detachMulticast(GID, 0);
        first.receive(1, 100);
        second.receive(1, 100);
        send(11);
        assertReceives(second, 11);
        first.qp().attachMulticast(GID, 0);
        second.receive(2, 100);
        send(22);
        assertReceives(second, 22);
        assertReceives(first, 22);
    }

    @Test
    void attachesOnceHoweverOftenItIsAsked() throws Exception {
        first.qp().attachMulticast(GID, 0);
        first.qp().attachMulticast(GID, 0);
        first.receive(1, 100);
        first.receive(2, 100);
        send(11);
        assertReceives(first, 11);
        first.qp().detachMulticast(GID, 0);
        assertNotAttached();
    }

    private void assertNotAttached() {
        assertThatThrownBy(() -> first.qp().detachMulticast(GID, 0))
                .hasMessageContaining("not attached")
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    @Test
    void refusesAGroupByASecondLocalIdentifier() throws Exception {
        first.qp().attachMulticast(GID, 5);
        assertThatThrownBy(() -> first.qp().attachMulticast(GID, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("local identifier 5");
        assertNotAttached();
        first.qp().detachMulticast(GID, 5);
        first.qp().attachMulticast(GID, 0);
        first.qp().close();
    }

    @Test
    void detachesFromNothingItIsNotAttachedTo() {
        assertNotAttached();
    }

    @Test
    void closesAQueuePairThatIsAttached() throws Exception {
        first.qp().attachMulticast(GID, 0);
        first.qp().attachMulticast(Datagrams.gid("ff0e::77"), 0);
        second.qp().attachMulticast(GID, 0);
        first.qp().close();
        second.receive(1, 100);
        send(11);
        assertReceives(second, 11);
        datagrams.pd().close();
        assertThat(second.qp().isClosed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6, "::"})
    void refusesAGidThatIsNotAGroup(String host) {
        assertThatThrownBy(() -> first.qp().attachMulticast(Datagrams.gid(host), 0))
                .hasMessageContaining("not a multicast GID")
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0x1_0000})
    void refusesALocalIdentifierThatDoesNotFit(int mlid) {
        assertThatThrownBy(() -> first.qp().attachMulticast(GID, mlid)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void explainsAGroupThatIsFull() throws Exception {
        int limit = datagrams.context().queryDevice().maxMcastQpAttach();
        QueuePairOptions options = QueuePairOptions.builder()
                .type(QueuePairType.UD)
                .cq(first.cq())
                .maxSendWr(1)
                .maxReceiveWr(1)
                .build();
        for (int i = 0; i < limit; i++) {
            datagrams.pd().createQp(options).attachMulticast(GID, 0);
        }
        assertThatThrownBy(() -> first.qp().attachMulticast(GID, 0))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("maxMcastQpAttach");
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void refusesConnectedQueuePairs(QueuePairType type) throws Exception {
        QueuePair qp = datagrams
                .pd()
                .createQp(QueuePairOptions.builder().type(type).cq(first.cq()).build());
        assertThatThrownBy(() -> qp.attachMulticast(GID, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only UD queue pairs");
        assertThatThrownBy(() -> qp.detachMulticast(GID, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
