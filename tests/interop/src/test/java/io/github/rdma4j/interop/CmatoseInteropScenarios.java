// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.transfer.CmatoseCommand;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our cmatose and C ucmatose, each as the client of the other, over IPv4 and IPv6, with and without migration. */
abstract class CmatoseInteropScenarios {
    private static final int MESSAGES = 20;

    private static Stream<Arguments> runs() {
        return Stream.of(
                Arguments.of(Rxe.IPV4, 1, false),
                Arguments.of(Rxe.IPV4, 100, true),
                Arguments.of(Rxe.IPV6, 1, true),
                Arguments.of(Rxe.IPV6, 100, false));
    }

    private static List<String> options(String role, String host, int port, int connections, boolean migrate) {
        List<String> options =
                new ArrayList<>(List.of(role, host, "-p", Integer.toString(port), "-c", "" + connections));
        options.addAll(List.of("-C", Integer.toString(MESSAGES), "-S", "500"));
        if (migrate) {
            options.add("-m");
        }
        return options;
    }

    private static CommandRun java(List<String> options) {
        return CommandRun.of(new CmatoseCommand(), options);
    }

    private static Await.Running<CommandRun> javaServer(int port, List<String> options) {
        Await.Running<CommandRun> server = Await.inThread(() -> java(options));
        Listeners.await(port);
        return server;
    }

    private static Program ucmatose(List<String> options) {
        List<String> command = new ArrayList<>(List.of("ucmatose"));
        command.addAll(options);
        return Program.start(command);
    }

    private static String verified(int connections) {
        return connections * MESSAGES + " messages of 500 bytes verified";
    }

    @ParameterizedTest
    @MethodSource("runs")
    void talksToItself(String host, int connections, boolean migrate) throws Exception {
        int port = Rxe.newPort();
        Await.Running<CommandRun> server = javaServer(port, options("-b", host, port, connections, migrate));
        String client = java(options("-s", host, port, connections, migrate)).success();
        assertThat(client)
                .containsSubsequence(
                        "cmatose: starting client",
                        "data transfers complete",
                        verified(connections),
                        migrate ? "migrating to new event channel" : "",
                        "test complete",
                        "return status 0");
        assertThat(server.result().success())
                .containsSubsequence(
                        "cmatose: starting server",
                        "data transfers complete",
                        verified(connections),
                        migrate ? "migrating to new event channel" : "",
                        "disconnected",
                        "test complete",
                        "return status 0");
    }

    /** C sends back what it was sent, so that the server knows it again. */
    @ParameterizedTest
    @MethodSource("runs")
    void servesTheCClient(String host, int connections, boolean migrate) throws Exception {
        int port = Rxe.newPort();
        Await.Running<CommandRun> server = javaServer(port, options("-b", host, port, connections, migrate));
        try (Program client = ucmatose(options("-s", host, port, connections, migrate))) {
            assertThat(client.success()).contains("data transfers complete", "return status 0");
        }
        assertThat(server.result().success()).contains(verified(connections), "return status 0");
    }

    /** The messages of C hold what its memory held. */
    @ParameterizedTest
    @MethodSource("runs")
    void isServedByTheCServer(String host, int connections, boolean migrate) throws Exception {
        int port = Rxe.newPort();
        try (Program server = ucmatose(options("-b", host, port, connections, migrate))) {
            Listeners.await(port);
            String client =
                    java(options("-s", host, port, connections, migrate)).success();
            assertThat(client).contains("not verified", "return status 0");
            assertThat(server.success()).contains("data transfers complete", "return status 0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-C 0", "-S 1", "-P ib", "-t 0x20 -a 14"})
    void doesWhatCDoesWithFurtherOptions(String option) throws Exception {
        int port = Rxe.newPort();
        List<String> server = new ArrayList<>(options("-b", Rxe.IPV4, port, 2, false));
        List<String> client = new ArrayList<>(options("-s", Rxe.IPV4, port, 2, false));
        server.subList(6, 10).clear();
        client.subList(6, 10).clear();
        server.addAll(List.of(option.split(" ")));
        client.addAll(List.of(option.split(" ")));
        Await.Running<CommandRun> ours = javaServer(port, server);
        try (Program theirs = ucmatose(client)) {
            theirs.success();
        }
        ours.result().success();
        try (Program theirs = ucmatose(server)) {
            Listeners.await(port);
            java(client).success();
            theirs.success();
        }
    }

    @Test
    void bindsTheClientToAnAddress() throws Exception {
        int port = Rxe.newPort();
        List<String> client = new ArrayList<>(options("-s", Rxe.IPV4, port, 1, false));
        client.addAll(List.of("-b", Rxe.IPV4, "-f", "ip"));
        Await.Running<CommandRun> server = javaServer(port, options("-b", Rxe.IPV4, port, 1, false));
        java(client).success();
        server.result().success();
    }

    @Test
    void givesAdviceWhenThereIsNoListener() {
        CommandRun run = java(options("-s", Rxe.IPV4, Rxe.newPort(), 1, false));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.complaint()).contains("REJECTED").contains("is a server running there");
        assertThat(run.output()).containsSubsequence("test complete", "return status 1");
    }

    @Test
    void endsWhenTheCServerIsKilled() throws Exception {
        int port = Rxe.newPort();
        try (Program server = ucmatose(options("-b", Rxe.IPV4, port, 2, false))) {
            Listeners.await(port);
            // The server waits for a second connection that is not to come, and sends nothing.
            Await.Running<CommandRun> client = Await.inThread(() -> java(options("-s", Rxe.IPV4, port, 1, false)));
            Listeners.awaitBothSides();
            server.kill();
            assertThat(client.result().status()).isEqualTo(1);
            assertThat(client.result().complaint()).contains("the other side has given up");
        }
    }
}
