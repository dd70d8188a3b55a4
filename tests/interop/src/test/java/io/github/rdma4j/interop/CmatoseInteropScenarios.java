// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Program;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our cmatose and C ucmatose, each as the client of the other, over IPv4 and IPv6, with and without migration. */
abstract class CmatoseInteropScenarios {
    private static final int MESSAGES = 20;

    private final int port = Rxe.newPort();

    private static Stream<Arguments> runs() {
        return Stream.of(
                Arguments.of(Rxe.IPV4, 1, false),
                Arguments.of(Rxe.IPV4, 100, true),
                Arguments.of(Rxe.IPV6, 1, true),
                Arguments.of(Rxe.IPV6, 100, false));
    }

    /** What both sides are given, after the letter of their role. */
    private String options(String host, int connections, boolean migrate) {
        return host + " -p " + port + " -c " + connections + " -C " + MESSAGES + " -S 500" + (migrate ? " -m" : "");
    }

    private RunningCommand javaServer(String options) {
        return RunningCommand.server("cmatose -b " + options, port);
    }

    private static RunningCommand javaClient(String options) throws InterruptedException {
        return RunningCommand.run("cmatose -s " + options);
    }

    private Program cServer(String options) {
        return Listeners.server("ucmatose -b " + options, port);
    }

    private static Program cClient(String options) {
        return Program.start(("ucmatose -s " + options).split(" "));
    }

    private static String verified(int connections) {
        return connections * MESSAGES + " messages of 500 bytes verified";
    }

    @ParameterizedTest
    @MethodSource("runs")
    void talksToItself(String host, int connections, boolean migrate) throws Exception {
        String options = options(host, connections, migrate);
        RunningCommand server = javaServer(options);
        assertThat(javaClient(options).success())
                .containsSubsequence(
                        "cmatose: starting client",
                        "data transfers complete",
                        verified(connections),
                        migrate ? "migrating to new event channel" : "",
                        "test complete",
                        "return status 0");
        assertThat(server.success())
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
        String options = options(host, connections, migrate);
        RunningCommand server = javaServer(options);
        try (Program client = cClient(options)) {
            assertThat(client.success()).contains("data transfers complete", "return status 0");
        }
        assertThat(server.success()).contains(verified(connections), "return status 0");
    }

    /** The messages of C hold what its memory held. */
    @ParameterizedTest
    @MethodSource("runs")
    void isServedByTheCServer(String host, int connections, boolean migrate) throws Exception {
        String options = options(host, connections, migrate);
        try (Program server = cServer(options)) {
            assertThat(javaClient(options).success()).contains("not verified", "return status 0");
            assertThat(server.success()).contains("data transfers complete", "return status 0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-C 0", "-S 1", "-P ib", "-t 0x20 -a 14"})
    void doesWhatCDoesWithFurtherOptions(String option) throws Exception {
        String options = Rxe.IPV4 + " -p " + port + " -c 2 " + option;
        RunningCommand ours = javaServer(options);
        try (Program theirs = cClient(options)) {
            theirs.success();
        }
        ours.success();
        try (Program theirs = cServer(options)) {
            javaClient(options).success();
            theirs.success();
        }
    }

    @Test
    void bindsTheClientToAnAddress() throws Exception {
        String options = options(Rxe.IPV4, 1, false);
        RunningCommand server = javaServer(options);
        javaClient(options + " -b " + Rxe.IPV4 + " -f ip").success();
        server.success();
    }

    @Test
    void givesAdviceWhenThereIsNoListener() throws Exception {
        RunningCommand run = javaClient(options(Rxe.IPV4, 1, false));
        assertThat(run.end(1)).containsSubsequence("test complete", "return status 1", "REJECTED");
        assertThat(run.complaint()).contains("is a server running there");
    }

    @Test
    void endsWhenTheCServerIsKilled() throws Exception {
        try (Program server = cServer(options(Rxe.IPV4, 2, false))) {
            // The server waits for a second connection that is not to come, and sends nothing.
            RunningCommand client = RunningCommand.start("cmatose -s " + options(Rxe.IPV4, 1, false));
            Listeners.awaitBothSides();
            server.kill();
            assertThat(client.end(1)).contains("the other side has given up");
        }
    }
}
