// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that break the rules of the native wire: their connection ends with the reason, and the server serves the next client. */
@RequiresKernel
@ExtendWith(Leaks.class)
@SuppressWarnings({"FutureReturnValueIgnored", "NullAway.Init"})
class NettyLiarsKernelIT {
    /** 16 receives of 4096 bytes. */
    private static final String HELLO = "52344a01" + "00000000" + "00000010" + "00001000";

    /** The peer sends no more bytes. */
    private static final String END = "03000000" + "00000000" + "0000000000000010";

    private static final int RECEIVES = 16;
    private static final int RECEIVE_BYTES = 4096;
    private static final int MESSAGE = RECEIVES * RECEIVE_BYTES;

    /** More messages than a completion queue of a channel has room for. */
    private static final int BURST = 100;

    private static final Loopback.Setup SETUP = Loopback.setup()
            .bytes(MESSAGE + 16_384)
            .cqEntries(64)
            .qp(options -> options.maxSendWr(BURST).maxSendSge(2).maxReceiveWr(32));

    @AutoClose
    private final Ends ends = new Ends();

    private Recorder recorder = new Recorder();
    private Channel server;

    @BeforeEach
    void serve() throws Exception {
        server = Ends.bound(ends.server(() -> recorder));
    }

    /** A queue pair of the connection manager that says whatever a test has it say. */
    private static final class Liar implements AutoCloseable {
        private final EventChannel channel;
        private final Loopback.Side side;

        Liar(EventChannel channel, CmId id) throws Exception {
            this.channel = channel;
            side = new Loopback.Side(channel, id, SETUP);
            for (int i = 0; i < RECEIVES; i++) {
                side.receive(i, i * RECEIVE_BYTES, RECEIVE_BYTES);
            }
        }

        static ConnectionParameters telling(String hello) {
            return ConnectionParameters.builder()
                    .privateData(HexFormat.of().parseHex(hello))
                    .build();
        }

        static Liar ask(Channel server, String hello) throws Exception {
            EventChannel channel = EventChannel.open();
            Liar liar = new Liar(channel, Loopback.routed(channel, (InetSocketAddress) server.localAddress()));
            liar.side.id().connect(telling(hello));
            return liar;
        }

        static Liar connect(Channel server) throws Exception {
            Liar liar = ask(server, HELLO);
            liar.side.expectEvent(CmEventType.ESTABLISHED);
            return liar;
        }

        void say(String message) throws Exception {
            byte[] bytes = HexFormat.of().parseHex(message);
            side.buffer().put(MESSAGE, bytes);
            side.send(99, MESSAGE, bytes.length);
            while (side.success().isReceive()) {
                // The next one.
            }
        }

        /** Says it many times at once, and waits until the peer's device has no room to tell of it, and ends the queue pair. */
        void shout(String message) throws Exception {
            byte[] bytes = HexFormat.of().parseHex(message);
            side.buffer().put(MESSAGE, bytes);
            SendWorkRequest[] requests = new SendWorkRequest[BURST];
            for (int i = 0; i < BURST; i++) {
                requests[i] = new SendWorkRequest(1).wrId(99).send().add(side.region(), MESSAGE, bytes.length);
            }
            int peer = side.qp().query().destQpNum();
            assertThat(side.qp().postSend(requests, BURST)).isEqualTo(BURST);
            Await.until("queue pair " + peer + " has ended", () -> hasEnded(peer));
        }

        /** Sends the begin of a message: the device finds out after some packets that it cannot read the rest. */
        void breakOff() throws Exception {
            try (ProtectionDomain foreign = side.id().context().allocatePd();
                    MemoryRegion unreadable =
                            foreign.registerMr(ByteBuffer.allocateDirect(RECEIVE_BYTES), Set.of(Access.LOCAL_WRITE))) {
                side.qp()
                        .postSend(new SendWorkRequest(2)
                                .wrId(99)
                                .send()
                                .add(side.region(), MESSAGE, RECEIVE_BYTES)
                                .add(unreadable, 0, RECEIVE_BYTES));
                Await.until("the send has failed", () -> hasEnded(side.qp().qpn()));
            }
        }

        private static boolean hasEnded(int qp) {
            try {
                return Program.run("rdma", "resource", "show", "qp", "link", Rxe.DEVICE, "lqpn", String.valueOf(qp))
                        .contains(" state ERR ");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() throws RdmaException {
            side.close();
            channel.close();
        }
    }

    private void assertServesTheNext() throws Exception {
        recorder = new Recorder();
        Channel client = Ends.connected(ends.client(new Recorder(), RdmaWire.NATIVE), server);
        client.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {7})).sync();
        assertThat(recorder.bytes(1)).containsExactly(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "52344a01",
                "52344a02000000000000001000001000",
                "52344a01000000000000000f00001000",
                "52344a010000000000000010000000ff",
                "52344a01000000000001000000001000"
            })
    void aClientThatTellsWrongThingsOfItselfIsRejected(String hello) throws Exception {
        try (Liar liar = Liar.ask(server, hello)) {
            liar.side.expectEvent(CmEventType.REJECTED);
            assertServesTheNext();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "52344a02000000000000001000001000", "52344a01000000000000000f00001000"})
    void aServerThatTellsWrongThingsOfItselfIsLeft(String hello) throws Exception {
        try (EventChannel channel = EventChannel.open();
                CmId id = Loopback.listen(channel, Rxe.IPV4)) {
            ChannelFuture connecting = ends.client(new Recorder(), RdmaWire.NATIVE)
                    .connect(id.localAddress().orElseThrow());
            CmId passive;
            try (var request = Events.expect(channel, CmEventType.CONNECT_REQUEST)) {
                passive = request.id();
            }
            Liar liar = new Liar(channel, passive);
            passive.accept(Liar.telling(hello));
            assertThat(connecting.await().cause())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the peer");
            liar.close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a short header, 010000000000000100000000000000",
        "no type, 00000000000000010000000000000010ff",
        "an unknown type, 09000000000000000000000000000010",
        "a wrong length, 01000000000000020000000000000010ff",
        "a negative length, 01000000ffffffff0000000000000010ff",
        "an end with bytes, 03000000000000010000000000000010ff",
        "a grant of more than the receives, 020000000000000000000000000000ff",
        "a grant that goes back, 0200000000000000000000000000000f"
    })
    void aMessageThatContradictsTheProtocolEndsTheConnection(String what, String message) throws Exception {
        try (Liar liar = Liar.connect(server)) {
            liar.say(message);
            recorder.awaitInactive();
            assertThat(recorder.failures())
                    .as(what)
                    .singleElement()
                    .satisfies(failure -> assertThat(failure)
                            .isInstanceOf(IOException.class)
                            .hasMessageStartingWith("Connection reset")
                            .hasMessageContaining("the peer sent"));
            liar.side.expectEvent(CmEventType.DISCONNECTED);
            assertServesTheNext();
        }
    }

    @Test
    void aMessageThatIsLongerThanTheReceiveEndsTheConnection() throws Exception {
        try (Liar liar = Liar.connect(server)) {
            liar.side.send(99, MESSAGE, 16_384);
            recorder.awaitInactive();
            assertThat(recorder.failures()).singleElement().isInstanceOf(IOException.class);
            assertServesTheNext();
        }
    }

    /** Returns when the loop waits for {@code latch}. */
    private static void block(EventLoop loop, CountDownLatch latch) throws InterruptedException {
        CountDownLatch waits = new CountDownLatch(1);
        loop.submit(() -> {
            waits.countDown();
            return latch.await(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        });
        waits.await();
    }

    @Test
    void aPeerThatSendsMoreThanItMayTakesNoReceivesFromOthers() throws Exception {
        // The three ends that there are at a time share 48 receives.
        int liars = 50;
        Recorder echoed = new Recorder();
        Channel echoing = Ends.bound(ends.server(Echo::new));
        Channel client = Ends.connected(ends.client(echoed, RdmaWire.NATIVE), echoing);
        // A loop that is kept from looking at the messages of a liar has no other channels.
        try (Ends misled = new Ends(liars)) {
            Channel listening = misled.server(() -> recorder).bind().sync().channel();
            for (int i = 0; i < liars; i++) {
                recorder = new Recorder();
                CountDownLatch shouted = new CountDownLatch(1);
                try (Liar liar = Liar.connect(listening)) {
                    block(misled.accepted().eventLoop(), shouted);
                    if (i % 4 != 0) {
                        liar.say(END);
                    }
                    liar.shout("02000000" + "00000000" + "0000000000000010");
                    shouted.countDown();
                    recorder.awaitInactive();
                }
            }
        }
        byte[] bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        client.writeAndFlush(Unpooled.wrappedBuffer(bytes));
        assertThat(echoed.bytes(bytes.length)).isEqualTo(bytes);
    }

    @Test
    void aPeerThatGoesAmidAMessageTakesNoReceivesFromOthers() throws Exception {
        // The two ends that stay and the third share 48 receives, or 80 while two more are about to go.
        Recorder echoed = new Recorder();
        Channel echoing = Ends.bound(ends.server(Echo::new));
        Channel client = Ends.connected(ends.client(echoed, RdmaWire.NATIVE), echoing);
        for (int i = 0; i < 100; i++) {
            recorder = new Recorder();
            try (Liar liar = Liar.connect(server)) {
                liar.breakOff();
            }
            recorder.awaitInactive();
        }
        byte[] bytes = new byte[1 << 20];
        new Random(1).nextBytes(bytes);
        client.writeAndFlush(Unpooled.wrappedBuffer(bytes));
        assertThat(echoed.bytes(bytes.length)).isEqualTo(bytes);
    }

    @Test
    void theEndOfThePeerIsTheEndOfTheChannel() throws Exception {
        try (Liar liar = Liar.connect(server)) {
            Channel accepted = ends.accepted();
            liar.say("01000000" + "00000001" + "0000000000000010" + "2a");
            liar.say(END);
            assertThat(recorder.bytes(1)).containsExactly(42);
            accepted.closeFuture().sync();
            assertThat(recorder.failures()).isEmpty();
        }
    }

    @Test
    void aPeerThatGoesWithoutAWordResetsTheConnection() throws Exception {
        Liar liar = Liar.connect(server);
        liar.say("01000000" + "00000003" + "0000000000000010" + "010203");
        assertThat(recorder.bytes(3)).containsExactly(1, 2, 3);
        liar.close();
        recorder.awaitInactive();
        assertThat(recorder.failures())
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessageStartingWith("Connection reset"));
        assertServesTheNext();
    }
}
