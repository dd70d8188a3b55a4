// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.transfer.UdaddyCommand;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our udaddy and C udaddy, each as the client of the other, over IPv4 and IPv6. */
abstract class UdaddyInteropScenarios {
    /** C's, which cannot be changed. */
    private static final int PORT = 7174;

    private static final int MESSAGES = 20;

    private static List<String> options(String role, String host, int connections, String... more) {
        List<String> options = new ArrayList<>(List.of(role, host, "-c", Integer.toString(connections)));
        options.addAll(List.of("-C", Integer.toString(MESSAGES), "-S", "500"));
        options.addAll(List.of(more));
        return options;
    }

    private static CommandRun java(List<String> options) {
        return CommandRun.of(new UdaddyCommand(), options);
    }

    private static Await.Running<CommandRun> javaServer(List<String> options) {
        Await.Running<CommandRun> server = Await.inThread(() -> java(options));
        Listeners.await(PORT);
        return server;
    }

    private static Program udaddy(List<String> options) {
        List<String> command = new ArrayList<>(List.of("udaddy"));
        command.addAll(options);
        return Program.start(command);
    }

    private static String verified(int connections) {
        return connections * MESSAGES + " messages of 500 bytes verified";
    }

    @Nightly
    @ParameterizedTest
    @CsvSource({"10.77.0.1, 1", "10.77.0.1, 100", "fd77::1, 1", "fd77::1, 100"})
    void talksToItself(String host, int connections) throws Exception {
        Await.Running<CommandRun> server = javaServer(options("-b", host, connections));
        assertThat(java(options("-s", host, connections)).success())
                .containsSubsequence(
                        "udaddy: starting client",
                        "udaddy: connecting",
                        "initiating data transfers",
                        "receiving data transfers",
                        "data transfers complete",
                        verified(connections),
                        "test complete",
                        "return status 0");
        assertThat(server.result().success())
                .containsSubsequence(
                        "udaddy: starting server",
                        "receiving data transfers",
                        "sending replies",
                        "data transfers complete",
                        verified(connections),
                        "test complete",
                        "return status 0");
    }

    @ParameterizedTest
    @CsvSource({"10.77.0.1, 1", "10.77.0.1, 100", "fd77::1, 1", "fd77::1, 100"})
    void servesTheCClient(String host, int connections) throws Exception {
        Await.Running<CommandRun> server = javaServer(options("-b", host, connections));
        try (Program client = udaddy(options("-s", host, connections))) {
            assertThat(client.success()).contains("data transfers complete", "return status 0");
        }
        assertThat(server.result().success()).contains("not verified", "return status 0");
    }

    /** C sends back what it was sent, behind what was in front of it. */
    @ParameterizedTest
    @CsvSource({"10.77.0.1, 1", "10.77.0.1, 100", "fd77::1, 1", "fd77::1, 100"})
    void isServedByTheCServer(String host, int connections) throws Exception {
        try (Program server = udaddy(options("-b", host, connections))) {
            Listeners.await(PORT);
            assertThat(java(options("-s", host, connections)).success()).contains(verified(connections));
            assertThat(server.success()).contains("data transfers complete", "return status 0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-C 0", "-S 1", "-p 0x0111", "-t 0x20"})
    void doesWhatCDoesWithFurtherOptions(String option) throws Exception {
        List<String> server = new ArrayList<>(List.of("-b", Rxe.IPV4, "-c", "2"));
        List<String> client = new ArrayList<>(List.of("-s", Rxe.IPV4, "-c", "2"));
        server.addAll(List.of(option.split(" ")));
        client.addAll(List.of(option.split(" ")));
        Await.Running<CommandRun> ours = javaServer(server);
        try (Program theirs = udaddy(client)) {
            theirs.success();
        }
        ours.result().success();
        try (Program theirs = udaddy(server)) {
            Listeners.await(PORT);
            java(client).success();
            theirs.success();
        }
    }

    @Test
    void sendsOnePacketAndNoMore() throws Exception {
        Await.Running<CommandRun> server = javaServer(List.of("-b", Rxe.IPV4));
        CommandRun client = java(List.of("-s", Rxe.IPV4, "-S", "100000"));
        assertThat(client.status()).isEqualTo(1);
        assertThat(client.complaint()).contains("one packet").contains("active MTU");
        java(List.of("-s", Rxe.IPV4)).success();
        server.result().success();
    }

    @Test
    void givesAdviceWhenThereIsNoListener() {
        CommandRun run = java(List.of("-s", Rxe.IPV4));
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.complaint()).contains("is a server running there");
        assertThat(run.output()).containsSubsequence("test complete", "return status 1");
    }
}
