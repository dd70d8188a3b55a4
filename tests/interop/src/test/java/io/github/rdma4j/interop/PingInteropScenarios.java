// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.ping.PingCommand;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Our ping and C rping, each as the client of the other, with the data verified on the client's side. */
abstract class PingInteropScenarios {
    private static final int PINGS = 100;

    private static int java(String... arguments) {
        return new CommandLine(new PingCommand())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getOut().println(failure);
                    return 1;
                })
                .execute(arguments);
    }

    private static Await.Running<Integer> javaServer(String host, int port, String... more) {
        List<String> arguments = new ArrayList<>(List.of("--server", host, "-p", Integer.toString(port)));
        arguments.addAll(List.of(more));
        Await.Running<Integer> server = Await.inThread(() -> java(arguments.toArray(String[]::new)));
        Listeners.await(port);
        return server;
    }

    private static Program rping(String role, String host, int port, int size) {
        return Program.start(
                "rping",
                role,
                "-a",
                host,
                "-p",
                Integer.toString(port),
                "-C",
                Integer.toString(PINGS),
                "-S",
                Integer.toString(size),
                "-V");
    }

    @ParameterizedTest
    @CsvSource({"10.77.0.1, 64", "10.77.0.1, 65535", "fd77::1, 64", "fd77::1, 65535"})
    void servesTheCClient(String host, int size) throws Exception {
        int port = Rxe.newPort();
        Await.Running<Integer> server = javaServer(host, port, "--once");
        try (Program client = rping("-c", host, port, size)) {
            assertThat(client.success()).doesNotContain("mismatch");
        }
        assertThat(server.result()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"10.77.0.1, 64", "10.77.0.1, 65535", "fd77::1, 64", "fd77::1, 65535"})
    void isServedByTheCServer(String host, int size) throws Exception {
        int port = Rxe.newPort();
        try (Program server = rping("-s", host, port, size)) {
            Listeners.await(port);
            assertThat(java(host, "-p", Integer.toString(port), "-C", Integer.toString(PINGS), "-S", "" + size))
                    .isZero();
            assertThat(server.status()).isZero();
        }
    }

    @Test
    void servesFiveCClientsAtOnce() throws Exception {
        int port = Rxe.newPort();
        Await.Running<Integer> server = javaServer(Rxe.IPV4, port);
        List<Program> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            clients.add(rping("-c", Rxe.IPV4, port, 1000));
        }
        for (Program client : clients) {
            assertThat(client.success()).doesNotContain("mismatch");
        }
        server.thread().interrupt();
        server.join();
    }

    @Test
    void servesOneCClientAfterTheOther() throws Exception {
        int port = Rxe.newPort();
        Await.Running<Integer> server = javaServer(Rxe.IPV4, port);
        for (int i = 0; i < 3; i++) {
            try (Program client = rping("-c", Rxe.IPV4, port, 64)) {
                client.success();
            }
        }
        server.thread().interrupt();
        server.join();
    }

    @Test
    void endsWhenTheCServerIsKilled() throws Exception {
        int port = Rxe.newPort();
        try (Program server = rping("-s", Rxe.IPV4, port, 64)) {
            Listeners.await(port);
            Await.Running<Integer> client =
                    Await.inThread(() -> java(Rxe.IPV4, "-p", Integer.toString(port), "-S", "64"));
            Listeners.awaitConnection(port);
            server.kill();
            assertThat(client.result()).isNotZero();
        }
    }

    @Test
    void continuesToServeWhenACClientIsKilled() throws Exception {
        int port = Rxe.newPort();
        Await.Running<Integer> server = javaServer(Rxe.IPV4, port);
        try (Program endless = Program.start("rping", "-c", "-a", Rxe.IPV4, "-p", Integer.toString(port), "-V");
                Program next = afterKilling(endless, port)) {
            next.success();
        }
        server.thread().interrupt();
        server.join();
    }

    private static Program afterKilling(Program client, int port) throws InterruptedException {
        Listeners.awaitConnection(port);
        client.kill();
        return rping("-c", Rxe.IPV4, port, 64);
    }

    @Test
    void failsWhenNoCServerListens() {
        assertThat(java(Rxe.IPV4, "-p", Integer.toString(Rxe.newPort()), "-C", "1"))
                .isNotZero();
    }
}
