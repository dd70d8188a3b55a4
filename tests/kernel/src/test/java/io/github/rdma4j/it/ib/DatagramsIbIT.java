// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.rsocket.RsocketDatagramChannel;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Datagrams within a subnet, which have no global route header, and the datagram rsockets of librdmacm. */
@RequiresIb
class DatagramsIbIT {
    private static final int QKEY = 0x11;
    private static final int ECHO = 3;
    private static final int CONTROL_BYTES = 16;

    /** A queue pair that is ready, with memory: one half receives, the other sends. */
    private static final class Node {
        final CompletionQueue cq;
        final QueuePair qp;
        final ByteBuffer memory = ByteBuffer.allocateDirect(512);
        final MemoryRegion region;

        Node(DeviceContext context, ProtectionDomain pd) throws RdmaException {
            cq = context.createCq(16);
            qp = pd.createQp(QueuePairOptions.builder()
                    .type(QueuePairType.UD)
                    .cq(cq)
                    .signalAll(true)
                    .build());
            qp.modify(QpAttr.builder()
                    .state(QpState.INIT)
                    .pkeyIndex(0)
                    .portNum(Ib.PORT)
                    .qkey(QKEY)
                    .build());
            qp.modify(QpAttr.builder().state(QpState.RTR).build());
            qp.modify(QpAttr.builder().state(QpState.RTS).sqPsn(0).build());
            region = pd.registerMr(memory, EnumSet.of(Access.LOCAL_WRITE));
            qp.postReceive(new ReceiveWorkRequest(1).wrId(1).add(region, 0, 256));
        }

        WorkCompletion complete() {
            WorkCompletion[] one = WorkCompletion.array(1);
            Await.until("a completion", () -> cq.poll(one) == 1);
            assertThat(one[0].isSuccess()).isTrue();
            return one[0];
        }

        void send(AddressHandle to, int qpn, long content) throws RdmaException {
            memory.putLong(256, content);
            qp.postSend(new SendWorkRequest(1).wrId(2).send().to(to, qpn, QKEY).add(region, 256, Long.BYTES));
            assertThat(complete().wrId()).isEqualTo(2);
        }

        void close() throws RdmaException {
            qp.close();
            cq.close();
            region.close();
        }
    }

    @Test
    void theAnswerGoesToTheLocalIdentifierOfTheSender() throws Exception {
        try (DeviceContext here = DeviceContext.open(Ib.DEVICE);
                DeviceContext there = DeviceContext.open(Ib.OTHER_DEVICE);
                ProtectionDomain ours = here.allocatePd();
                ProtectionDomain theirs = there.allocatePd()) {
            Node sender = new Node(here, ours);
            Node receiver = new Node(there, theirs);
            int lid = there.queryPort(Ib.PORT).lid();
            AhAttr way = new AhAttr(new Gid(0, 0), 0, 0, 0, 0, lid, 0, 0, 0, false, Ib.PORT);
            try (AddressHandle to = ours.createAh(way)) {
                sender.send(to, receiver.qp.qpn(), 4711);
            }
            WorkCompletion received = receiver.complete();
            assertThat(received.hasGrh()).isFalse();
            assertThat(received.byteLength()).isEqualTo(Grh.BYTES + Long.BYTES);
            assertThat(received.slid()).isEqualTo(here.queryPort(Ib.PORT).lid());
            assertThat(received.sourceQp()).isEqualTo(sender.qp.qpn());
            assertThat(receiver.memory.getLong(Grh.BYTES)).isEqualTo(4711);
            try (AddressHandle back = theirs.createAhFromWc(received, receiver.memory, 0, Ib.PORT)) {
                receiver.send(back, received.sourceQp(), 4712);
            }
            assertThat(sender.complete().isReceive()).isTrue();
            assertThat(sender.memory.getLong(Grh.BYTES)).isEqualTo(4712);
            sender.close();
            receiver.close();
        }
    }

    /** Subnet management is between queue pairs 0: whoever has another queue pair cannot talk to it, not even on the own node. */
    @Test
    void aDatagramToQueuePairZeroLeavesNoPort() throws Exception {
        try (DeviceContext here = DeviceContext.open(Ib.DEVICE);
                ProtectionDomain ours = here.allocatePd()) {
            Node sender = new Node(here, ours);
            long discarded = counter("port_xmit_discards");
            for (int lid : new int[] {here.queryPort(Ib.PORT).lid(), 0xffff}) {
                try (AddressHandle to =
                        ours.createAh(new AhAttr(new Gid(0, 0), 0, 0, 0, 0, lid, 0, 0, 0, false, Ib.PORT))) {
                    sender.send(to, 0, 1);
                }
            }
            assertThat(counter("port_xmit_discards")).isEqualTo(discarded + 2);
            sender.close();
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
