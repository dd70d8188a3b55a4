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
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

    private static Arguments program(String name, Callable<?> run, Object result) {
        return Arguments.of(Named.of(name, run), result);
    }

    static Stream<Arguments> programs() {
        return Stream.of(
                program("BlockingEcho", () -> BlockingEcho.run(Rxe.IPV4), 42L),
                program("StreamEcho", () -> StreamEcho.run(Rxe.IPV4), "Hello, stream"),
                program("DatagramEcho", () -> DatagramEcho.run(Rxe.IPV4), "Hello, datagram"),
                program("SelectorEcho", () -> SelectorEcho.run(Rxe.IPV4), "Hello, selector"),
                program("NettyEcho", () -> NettyEcho.run(Rxe.IPV4), "Hello, Netty"),
                program("EventChannelClient", () -> EventChannelClient.run(Rxe.IPV4), 43L),
                program("EventChannelServer", () -> EventChannelServer.run(Rxe.IPV4), 47L),
                program("FutureEcho", () -> FutureEcho.run(Rxe.IPV4), 44L),
                program("DatagramPing", () -> DatagramPing.run(Rxe.IPV4), 45L),
                program("RdmaReadWrite", () -> RdmaReadWrite.run(Rxe.IPV4), 46L),
                program("MulticastChat", () -> MulticastChat.run(Rxe.IPV4), "hello"),
                program("MigrateIds", () -> MigrateIds.run(Rxe.IPV4), CmEventType.ESTABLISHED),
                program("SharedReceiveQueueServer", () -> SharedReceiveQueueServer.run(Rxe.IPV4), 1L + 2 + 3),
                program("ManyConnections", () -> ManyConnections.run(Rxe.IPV4, 100), 100L * 101),
                program("DispatchedSum", () -> DispatchedSum.run(Rxe.IPV4), 5050L),
                program("EchoService", () -> EchoService.run(Rxe.IPV4), 24L + 24));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    void runs(Callable<?> program, Object result) throws Exception {
        assertThat((Object) program.call()).isEqualTo(result);
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
