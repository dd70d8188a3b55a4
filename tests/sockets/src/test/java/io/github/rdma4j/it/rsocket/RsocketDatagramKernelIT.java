// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.rsocket.RsocketDatagramChannel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.Grh;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@RequiresKernel
class RsocketDatagramKernelIT {
    /** The length of an introduction without a datagram. */
    private static final int ANSWER_BYTES = 16;

    private static final int ROUNDS = 300;
    private static final int FEW = 50;

    private static RsocketDatagramChannel open(String host) throws Exception {
        return RsocketDatagramChannel.open(new InetSocketAddress(host, 0));
    }

    private static byte[] receive(RsocketDatagramChannel channel, InetSocketAddress from) throws Exception {
        ByteBuffer into = ByteBuffer.allocate(2048);
        assertThat(channel.receive(into, Await.LIMIT)).contains(from);
        return Arrays.copyOf(into.array(), into.position());
    }

    /** Each message is answered, so that no receive is missing. */
    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void carriesMessagesOfAllSizesInBothDirections(String host) throws Exception {
        Random random = new Random(NewSeed.of("RsocketDatagramKernelIT, " + host));
        try (RsocketDatagramChannel one = open(host);
                RsocketDatagramChannel other = open(host)) {
            for (int i = 0; i < ROUNDS; i++) {
                byte[] question = new byte[random.nextInt(1000)];
                random.nextBytes(question);
                assertThat(one.send(ByteBuffer.wrap(question), other.localAddress()))
                        .isEqualTo(question.length);
                assertThat(receive(other, one.localAddress())).isEqualTo(question);
                byte[] answer = new byte[random.nextInt(1000)];
                random.nextBytes(answer);
                other.send(ByteBuffer.wrap(answer), one.localAddress());
                assertThat(receive(one, other.localAddress())).isEqualTo(answer);
            }
        }
    }

    /** A peer of the protocol that is no channel: a UDP socket and a queue pair at the same port. */
    @Test
    @Timeout(60)
    void speaksTheProtocolOfRsocket() throws Exception {
        InetAddress host = InetAddress.getByName(Rxe.IPV4);
        ByteBuffer memory = ByteBuffer.allocateDirect(Grh.BYTES + 2048);
        try (RsocketDatagramChannel channel = open(Rxe.IPV4);
                DatagramSocket udp = new DatagramSocket(0, host);
                BlockingCmId id = BlockingCmId.create(PortSpace.UDP)) {
            id.bind(new InetSocketAddress(host, udp.getLocalPort()));
            QueuePair qp = id.createQp(QueuePairOptions.DEFAULT);
            MemoryRegion region = id.id().pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE));
            qp.postReceive(new ReceiveWorkRequest(1).wrId(1).add(region, 0, memory.capacity()));
            InetSocketAddress peer = (InetSocketAddress) udp.getLocalSocketAddress();
            channel.send(ByteBuffer.wrap(new byte[] {1, 2, 3}), peer);
            DatagramPacket first = new DatagramPacket(new byte[100], 100);
            udp.receive(first);
            ByteBuffer received = ByteBuffer.wrap(first.getData(), 0, first.getLength());
            int qpn = received.getInt(8);
            assertThat(received).isEqualTo(introduction(0, qpn, 1, 2, 3));
            byte[] answer = new byte[ANSWER_BYTES];
            introduction(7, qp.qpn()).get(answer);
            udp.send(new DatagramPacket(answer, answer.length, channel.localAddress()));
            WorkCompletion[] arrived = WorkCompletion.array(1);
            do { // until the way is found, datagrams go over UDP
                channel.send(ByteBuffer.wrap(new byte[] {5, 6}), peer);
            } while (id.queues().receiveCq().orElseThrow().poll(arrived) == 0);
            assertThat(arrived[0].sourceQp()).isEqualTo(qpn);
            int port = channel.localAddress().getPort();
            assertThat(memory.slice(Grh.BYTES, arrived[0].byteLength() - Grh.BYTES))
                    .isEqualTo(bytes(4, 8, port >> 8, port, 10, 77, 0, 1, 5, 6));
            region.close();
        }
    }

    /** An introduction of a queue pair at 10.77.0.1. */
    private static ByteBuffer introduction(int operation, int qpn, int... datagram) {
        ByteBuffer header = bytes(0x55, 0x55, 0x55, 0x55, 4, operation, 16, 0, 0, 0, 0, 0, 10, 77, 0, 1)
                .putInt(8, qpn);
        return ByteBuffer.allocate(header.limit() + datagram.length)
                .put(header)
                .put(bytes(datagram))
                .flip();
    }

    private static ByteBuffer bytes(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length);
        for (int value : values) {
            bytes.put((byte) value);
        }
        return bytes.flip();
    }

    @Test
    void ignoresWhatIsNoIntroduction() throws Exception {
        Random random = new Random(NewSeed.of("RsocketDatagramKernelIT, no introductions"));
        try (RsocketDatagramChannel one = open(Rxe.IPV4);
                DatagramSocket liar = new DatagramSocket(0, InetAddress.getByName(Rxe.IPV4))) {
            for (int i = 0; i < ROUNDS; i++) {
                byte[] lie = new byte[random.nextInt(40)];
                random.nextBytes(lie);
                if (lie.length >= 7 && random.nextBoolean()) {
                    ByteBuffer.wrap(lie)
                            .putInt(0x55555555)
                            .put((byte) 4)
                            .put((byte) 7)
                            .put((byte) random.nextInt(30));
                }
                liar.send(new DatagramPacket(lie, lie.length, one.localAddress()));
                if (i % FEW == FEW - 1) {
                    hearsSomebodyElse(one);
                }
            }
        }
    }

    /** A new peer is introduced behind the lies. More lies would be more than the kernel keeps for a UDP socket. */
    private static void hearsSomebodyElse(RsocketDatagramChannel one) throws Exception {
        try (RsocketDatagramChannel other = open(Rxe.IPV4)) {
            other.send(ByteBuffer.wrap(new byte[] {9}), one.localAddress());
            assertThat(receive(one, other.localAddress())).containsExactly(9);
        }
    }

    @Test
    void refusesWhatNoPacketHasRoomFor() throws Exception {
        try (RsocketDatagramChannel one = open(Rxe.IPV4);
                RsocketDatagramChannel other = open(Rxe.IPV4)) {
            ByteBuffer large = ByteBuffer.allocate(2041);
            assertThatThrownBy(() -> one.send(large, other.localAddress()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("the datagram has 2041 bytes; at most ");
            assertThat(large.remaining()).isEqualTo(2041);
        }
    }

    @Test
    void moreThanTheReceiverHasRoomForIsLostAndTheRestArrives() throws Exception {
        try (RsocketDatagramChannel one = open(Rxe.IPV4);
                RsocketDatagramChannel other = open(Rxe.IPV4)) {
            for (int i = 0; i < 1000; i++) {
                one.send(ByteBuffer.allocate(4).putInt(0, i), other.localAddress());
            }
            ByteBuffer into = ByteBuffer.allocate(4);
            int arrived = 0;
            while (other.receive(into.clear(), Duration.ofMillis(100)).isPresent()) {
                arrived++;
            }
            assertThat(arrived).isBetween(1, 1000);
            one.send(ByteBuffer.allocate(4).putInt(0, 7), other.localAddress());
            assertThat(receive(other, one.localAddress())).containsExactly(0, 0, 0, 7);
        }
    }

    @Test
    @Timeout(60)
    void aPeerThatComesBackIntroducesItself() throws Exception {
        try (RsocketDatagramChannel one = open(Rxe.IPV4)) {
            InetSocketAddress at;
            try (RsocketDatagramChannel other = open(Rxe.IPV4)) {
                at = other.localAddress();
                other.send(ByteBuffer.wrap(new byte[] {1}), one.localAddress());
                receive(one, at);
                one.send(ByteBuffer.wrap(new byte[] {2}), at);
                receive(other, one.localAddress());
            }
            try (RsocketDatagramChannel again = RsocketDatagramChannel.open(at)) {
                again.send(ByteBuffer.wrap(new byte[] {3}), one.localAddress());
                assertThat(receive(one, at)).containsExactly(3);
                ByteBuffer into = ByteBuffer.allocate(1);
                do { // until the new way is found, datagrams go to the old queue pair
                    one.send(ByteBuffer.wrap(new byte[] {4}), at);
                } while (again.receive(into, Duration.ofMillis(10)).isEmpty());
                assertThat(into.get(0)).isEqualTo((byte) 4);
            }
        }
    }

    @Test
    void aWildcardAddressHasAQueuePairWhereAPeerIs() throws Exception {
        try (RsocketDatagramChannel any = open("0.0.0.0");
                RsocketDatagramChannel one = open(Rxe.IPV4)) {
            InetSocketAddress at =
                    new InetSocketAddress(Rxe.IPV4, any.localAddress().getPort());
            one.send(ByteBuffer.wrap(new byte[] {1}), at);
            assertThat(receive(any, one.localAddress())).containsExactly(1);
            any.send(ByteBuffer.wrap(new byte[] {2}), one.localAddress());
            assertThat(receive(one, at)).containsExactly(2);
        }
    }

    @Test
    void closingWakesTheReceiver() throws Exception {
        RsocketDatagramChannel channel = open(Rxe.IPV4);
        Await.Running<InetSocketAddress> receiving = Await.inThread(() -> channel.receive(ByteBuffer.allocate(1)));
        receiving.untilInside("awaitAny");
        channel.close();
        assertThat(receiving.failure()).isInstanceOf(AsynchronousCloseException.class);
        assertThatThrownBy(() -> channel.send(ByteBuffer.allocate(1), channel.localAddress()))
                .isInstanceOf(ClosedChannelException.class);
        channel.close();
    }

    @Test
    void anInterruptLeavesTheChannelOpen() throws Exception {
        try (RsocketDatagramChannel one = open(Rxe.IPV4);
                RsocketDatagramChannel other = open(Rxe.IPV4)) {
            Await.Running<InetSocketAddress> receiving = Await.inThread(() -> one.receive(ByteBuffer.allocate(1)));
            receiving.untilInside("awaitAny");
            receiving.thread().interrupt();
            assertThat(receiving.failure()).isInstanceOf(InterruptedException.class);
            other.send(ByteBuffer.wrap(new byte[] {8}), one.localAddress());
            assertThat(receive(one, other.localAddress())).containsExactly(8);
        }
    }

    @Test
    void theRemovalOfTheDeviceIsToldAndNothingHoldsTheDevice() throws Exception {
        try (RemovableLink link = RemovableLink.make();
                RsocketDatagramChannel channel = open(RemovableLink.ADDRESS)) {
            Await.Running<InetSocketAddress> receiving = Await.inThread(() -> channel.receive(ByteBuffer.allocate(1)));
            receiving.untilInside("awaitAny");
            try (Program deletion = link.delete()) {
                assertThat(receiving.failure())
                        .isInstanceOf(RdmaException.class)
                        .hasMessageContaining("was removed");
                deletion.success();
            }
            assertThat(link.isThere()).isFalse();
        }
    }
}
