// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs the examples, and with them the code in the Javadoc and the README. */
@RequiresKernel
class ExamplesKernelIT {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    /** Netty's choice of a logger may say something, once. */
    @BeforeAll
    static void chooseLogger() {
        assertThat(InternalLoggerFactory.getDefaultFactory()).isNotNull();
    }

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    }

    /** A program that ends as it should says nothing there. */
    @AfterEach
    void isSilent() {
        System.setErr(before);
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void blockingEcho() throws Exception {
        assertThat(BlockingEcho.run(Rxe.IPV4)).isEqualTo(42);
    }

    @Test
    void streamEcho() throws Exception {
        assertThat(StreamEcho.run(Rxe.IPV4)).isEqualTo("Hello, stream");
    }

    @Test
    void socketEcho() throws Exception {
        assertThat(SocketEcho.run(InetAddress.getByName(Rxe.IPV4)))
                .isEqualTo("Hello over TCP"); // by this JVM's factory
        try (Program program = Program.start(Program.java(SocketEcho.class, Rxe.IPV4))) {
            assertThat(program.success())
                    .contains("Hello over RDMA", "connected 1 over RDMA and 0 over TCP, accepted 1 over RDMA");
        }
    }

    @Test
    void datagramEcho() throws Exception {
        assertThat(DatagramEcho.run(Rxe.IPV4)).isEqualTo("Hello, datagram");
    }

    @Test
    void selectorEcho() throws Exception {
        assertThat(SelectorEcho.run(Rxe.IPV4)).isEqualTo("Hello, selector");
    }

    @Test
    void nettyEcho() throws Exception {
        assertThat(NettyEcho.run(Rxe.IPV4)).isEqualTo("Hello, Netty");
    }

    @Test
    void eventChannelClient() throws Exception {
        assertThat(EventChannelClient.run(Rxe.IPV4)).isEqualTo(43);
    }

    @Test
    void eventChannelServer() throws Exception {
        assertThat(EventChannelServer.run(Rxe.IPV4)).isEqualTo(47);
    }

    @Test
    void futureEcho() throws Exception {
        assertThat(FutureEcho.run(Rxe.IPV4)).isEqualTo(44);
    }

    @Test
    void datagramPing() throws Exception {
        assertThat(DatagramPing.run(Rxe.IPV4)).isEqualTo(45);
    }

    @Test
    void rdmaReadWrite() throws Exception {
        assertThat(RdmaReadWrite.run(Rxe.IPV4)).isEqualTo(46);
    }

    @Test
    void multicastChat() throws Exception {
        assertThat(MulticastChat.run(Rxe.IPV4)).isEqualTo("hello");
    }

    @Test
    void migrateIds() throws Exception {
        assertThat(MigrateIds.run(Rxe.IPV4)).isEqualTo(CmEventType.ESTABLISHED);
    }

    @Test
    void sharedReceiveQueueServer() throws Exception {
        assertThat(SharedReceiveQueueServer.run(Rxe.IPV4)).isEqualTo(1 + 2 + 3);
    }

    @Test
    void manyConnections() throws Exception {
        assertThat(ManyConnections.run(Rxe.IPV4, 100)).isEqualTo(100 * 101);
    }

    @Test
    void dispatchedSum() throws Exception {
        assertThat(DispatchedSum.run(Rxe.IPV4)).isEqualTo(5050);
    }

    @Test
    void echoService() throws Exception {
        assertThat(EchoService.run(Rxe.IPV4)).isEqualTo(24 + 24);
    }

    @Test
    void rdmaServerServesTheClientInC() throws Exception {
        CompletableFuture<Void> listening = new CompletableFuture<>();
        Await.Running<Boolean> server = Await.inThread(() -> {
            RdmaServer.run("7199", () -> listening.complete(null));
            return true;
        });
        listening.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(Program.run("rdma_client", "-s", Rxe.IPV4, "-p", "7199")).contains("rdma_client: end 0");
        assertThat(server.result()).isTrue();
    }
}
