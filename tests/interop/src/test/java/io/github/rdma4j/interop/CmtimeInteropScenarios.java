// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.Main;
import io.github.rdma4j.cli.cmtime.CmtimeCommand;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Our cmtime and the C one, each as the client of the other: every connection takes every step. */
abstract class CmtimeInteropScenarios {
    private static final String CONNECTIONS = "100";
    private static final int KILLED = 128 + 9;

    /** The start of a JVM takes long in a guest under emulation whose host is busy. */
    private static final Duration START = Duration.ofMinutes(3);

    private static final String[] FAILURES = {"failure", "error", "event:", "RDMA_CM_EVENT"};

    private static int java(String... arguments) {
        return new CommandLine(new CmtimeCommand())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getOut().println(failure);
                    return 1;
                })
                .execute(arguments);
    }

    private static Await.Running<Integer> javaServer(String host, int port) {
        Await.Running<Integer> server = Await.inThread(() -> java("-b", host, "-p", Integer.toString(port)));
        Listeners.await(port);
        return server;
    }

    private static void stop(Await.Running<Integer> server) throws InterruptedException {
        server.thread().interrupt();
        server.join();
    }

    private static Program cClient(String host, int port, String... more) {
        List<String> command =
                new ArrayList<>(List.of("cmtime", "-s", host, "-p", Integer.toString(port), "-c", CONNECTIONS));
        command.addAll(List.of(more));
        return Program.start(command);
    }

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void servesTheCClient(String host) throws Exception {
        int port = Rxe.newPort();
        Await.Running<Integer> server = javaServer(host, port);
        try (Program client = cClient(host, port);
                Program bound = afterSuccess(client, host, port)) {
            assertThat(bound.success()).contains("destroy").doesNotContain(FAILURES);
        }
        stop(server);
    }

    private static Program afterSuccess(Program client, String host, int port) throws InterruptedException {
        assertThat(client.success()).contains("destroy").doesNotContain(FAILURES);
        return cClient(host, port, "-b", host);
    }

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void isServedByTheCServer(String host) throws Exception {
        int port = Rxe.newPort();
        try (Program server = Program.start("cmtime", "-b", host, "-p", Integer.toString(port))) {
            Listeners.await(port);
            String number = Integer.toString(port);
            assertThat(java("-s", host, "-p", number, "-c", CONNECTIONS)).isZero();
            assertThat(java("-s", host, "-b", host, "-p", number, "-c", CONNECTIONS))
                    .isZero();
            assertThat(server.output()).doesNotContain(FAILURES);
        }
    }

    @Test
    void isServedByItself() throws Exception {
        int port = Rxe.newPort();
        Await.Running<Integer> server = javaServer(Rxe.IPV4, port);
        assertThat(java("-s", Rxe.IPV4, "-p", Integer.toString(port), "-c", CONNECTIONS))
                .isZero();
        stop(server);
    }

    /** The server is stopped until the client is dead: a client that waits for it is certainly killed while it connects. */
    @Nightly
    @Test
    void continuesToServeWhenACClientIsKilled() throws Exception {
        int port = Rxe.newPort();
        String number = Integer.toString(port);
        try (Program server = Program.start(Program.java(Main.class, "cmtime", "-b", Rxe.IPV4, "-p", number))) {
            server.awaitOutput("listening", START);
            server.signal("STOP");
            try (Program first = cClient(Rxe.IPV4, port)) {
                Listeners.awaitConnection(port);
                first.kill();
                assertThat(first.status()).isEqualTo(KILLED);
            }
            server.signal("CONT");
            try (Program next = cClient(Rxe.IPV4, port)) {
                assertThat(next.success()).doesNotContain(FAILURES);
            }
        }
    }

    @Test
    void failsWithoutAListener() {
        assertThat(java("-s", Rxe.IPV4, "-p", Integer.toString(Rxe.newPort()), "-c", "3"))
                .isEqualTo(1);
    }
}
