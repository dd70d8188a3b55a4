// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketDatagramChannel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.Grh;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Datagrams within a subnet, which have no global route header, and the datagram rsockets of librdmacm. */
@RequiresIb
class DatagramsIbIT {
    private static final int ECHO = 3;
    private static final int CONTROL_BYTES = 16;

    private static ByteBuffer content(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(0, value);
    }

    private static AhAttr within(int lid) {
        return new AhAttr(new Gid(0, 0), 0, 0, 0, 0, lid, 0, 0, 0, false, Ib.PORT);
    }

    @Test
    void theAnswerGoesToTheLocalIdentifierOfTheSender() throws Exception {
        try (DeviceContext here = DeviceContext.open(Ib.DEVICE);
                DeviceContext there = DeviceContext.open(Ib.OTHER_DEVICE);
                ProtectionDomain ours = here.allocatePd();
                ProtectionDomain theirs = there.allocatePd();
                DatagramEnd sender = new DatagramEnd(here, ours, Ib.PORT);
                DatagramEnd receiver = new DatagramEnd(there, theirs, Ib.PORT)) {
            sender.send(within(receiver.lid), receiver.qp.qpn(), DatagramEnd.QKEY, content(4711));
            WorkCompletion received = receiver.received();
            assertThat(received.hasGrh()).isFalse();
            assertThat(received.byteLength()).isEqualTo(Grh.BYTES + Long.BYTES);
            assertThat(received.slid()).isEqualTo(sender.lid);
            assertThat(received.sourceQp()).isEqualTo(sender.qp.qpn());
            assertThat(receiver.memory.getLong(Grh.BYTES)).isEqualTo(4711);
            try (AddressHandle back = theirs.createAhFromWc(received, receiver.memory, 0, Ib.PORT)) {
                receiver.send(back, received.sourceQp(), DatagramEnd.QKEY, content(4712));
            }
            assertThat(sender.received().isReceive()).isTrue();
            assertThat(sender.memory.getLong(Grh.BYTES)).isEqualTo(4712);
        }
    }

    /** Subnet management is between queue pairs 0: whoever has another queue pair cannot talk to it, not even on the own node. */
    @Test
    void aDatagramToQueuePairZeroLeavesNoPort() throws Exception {
        try (DeviceContext here = DeviceContext.open(Ib.DEVICE);
                ProtectionDomain ours = here.allocatePd();
                DatagramEnd sender = new DatagramEnd(here, ours, Ib.PORT)) {
            long discarded = counter("port_xmit_discards");
            for (int lid : new int[] {sender.lid, 0xffff}) {
                sender.send(within(lid), 0, DatagramEnd.QKEY, content(1));
            }
            assertThat(counter("port_xmit_discards")).isEqualTo(discarded + 2);
        }
    }

    /** Each change of the name wakes the port, whose partner says hello twice a second. */
    @Test
    void aPortThatIsWokenAgainAndAgainKeepsItsLink() throws Exception {
        long downed = counter("link_downed");
        Path name = Path.of("/sys/class/infiniband", Ib.DEVICE, "node_desc");
        String before = Files.readString(name);
        for (int i = 0; i < 200; i++) {
            Files.writeString(name, "node " + i);
            LockSupport.parkNanos(1_000_000); // or one wake-up stands for several
        }
        Files.writeString(name, before);
        assertThat(counter("link_downed")).isEqualTo(downed);
    }

    private static long counter(String name) throws IOException {
        return Long.parseLong(Ib.port("counters/" + name));
    }

    /** The message of {@code udpong(1)}: operation, client, sequence number. */
    private static ByteBuffer message(int operation, int client, int sequence, int length) {
        return ByteBuffer.allocate(length)
                .put(0, (byte) operation)
                .put(1, (byte) client)
                .put(2, (byte) sequence);
    }

    /** As udpong's client: sends until the answer with the same number comes. */
    private static ByteBuffer ask(RsocketDatagramChannel channel, InetSocketAddress server, ByteBuffer question)
            throws Exception {
        ByteBuffer answer = ByteBuffer.allocate(question.capacity());
        do {
            channel.send(question.duplicate(), server);
            answer.clear();
        } while (channel.receive(answer, Duration.ofSeconds(1)).isEmpty() || answer.get(2) != question.get(2));
        return answer.flip();
    }

    @Test
    void aServerInCAnswers() throws Exception {
        Random random = new Random(NewSeed.of("DatagramsIbIT"));
        InetSocketAddress server = new InetSocketAddress(Rxe.IPV4, Rxe.newPort());
        try (Program udpong = Program.start("stdbuf", "-oL", "udpong", "-b", Rxe.IPV4, "-p", "" + server.getPort());
                RsocketDatagramChannel channel = RsocketDatagramChannel.open(new InetSocketAddress(Rxe.IPV4, 0))) {
            int client = ask(channel, server, message(0, 0, 0, CONTROL_BYTES)).get(1);
            udpong.awaitOutput("client login from " + Rxe.IPV4);
            for (int i = 1; i < 100; i++) {
                ByteBuffer question = message(ECHO, client, i, CONTROL_BYTES + random.nextInt(1000));
                for (int at = CONTROL_BYTES; at < question.capacity(); at++) {
                    question.put(at, (byte) random.nextInt());
                }
                assertThat(ask(channel, server, question)).isEqualTo(question);
            }
        }
    }

    @Test
    void aClientInCIsAnswered() throws Exception {
        try (RsocketDatagramChannel channel = RsocketDatagramChannel.open(new InetSocketAddress(Rxe.IPV4, 0))) {
            String port = Integer.toString(channel.localAddress().getPort());
            try (Program udpong =
                    Program.start("udpong", "-s", Rxe.IPV4, "-p", port, "-S", "64", "-C", "100", "-T", "e")) {
                ByteBuffer message = ByteBuffer.allocate(2048);
                Await.Running<Integer> serving = Await.inThread(() -> {
                    int served = 0;
                    while (true) {
                        InetSocketAddress client = channel.receive(message.clear());
                        channel.send(message.flip(), client);
                        served++;
                        if (message.get(0) == 4) {
                            return served;
                        }
                    }
                });
                assertThat(serving.result()).isGreaterThanOrEqualTo(102);
                assertThat(udpong.success()).contains("custom");
            }
        }
    }
}
