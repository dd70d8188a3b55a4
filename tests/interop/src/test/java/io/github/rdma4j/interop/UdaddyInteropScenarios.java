// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our udaddy and C udaddy, each as the client of the other, over IPv4 and IPv6. */
abstract class UdaddyInteropScenarios {
    /** C's, which cannot be changed. */
    private static final int PORT = 7174;

    private static final int MESSAGES = 20;

    /** What both sides are given, after the letter of their role. */
    private static String options(String host, int connections) {
        return host + " -c " + connections + " -C " + MESSAGES + " -S 500";
    }

    private static RunningCommand javaServer(String options) {
        return RunningCommand.server("udaddy -b " + options, PORT);
    }

    private static RunningCommand javaClient(String options) throws InterruptedException {
        return RunningCommand.run("udaddy -s " + options);
    }

    private static Program cServer(String options) {
        return Listeners.server("udaddy -b " + options, PORT);
    }

    private static Program cClient(String options) {
        return Program.start(("udaddy -s " + options).split(" "));
    }

    private static String verified(int connections) {
        return connections * MESSAGES + " messages of 500 bytes verified";
    }

    @Nightly
    @ParameterizedTest
    @CsvSource({"10.77.0.1, 1", "10.77.0.1, 100", "fd77::1, 1", "fd77::1, 100"})
    void talksToItself(String host, int connections) throws Exception {
        RunningCommand server = javaServer(options(host, connections));
        assertThat(javaClient(options(host, connections)).success())
                .containsSubsequence(
                        "udaddy: starting client",
                        "udaddy: connecting",
                        "initiating data transfers",
                        "receiving data transfers",
                        "data transfers complete",
                        verified(connections),
                        "test complete",
                        "return status 0");
        assertThat(server.success())
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
        RunningCommand server = javaServer(options(host, connections));
        try (Program client = cClient(options(host, connections))) {
            assertThat(client.success()).contains("data transfers complete", "return status 0");
        }
        assertThat(server.success()).contains("not verified", "return status 0");
    }

    /** C sends back what it was sent, behind what was in front of it. */
    @ParameterizedTest
    @CsvSource({"10.77.0.1, 1", "10.77.0.1, 100", "fd77::1, 1", "fd77::1, 100"})
    void isServedByTheCServer(String host, int connections) throws Exception {
        try (Program server = cServer(options(host, connections))) {
            assertThat(javaClient(options(host, connections)).success()).contains(verified(connections));
            assertThat(server.success()).contains("data transfers complete", "return status 0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-C 0", "-S 1", "-p 0x0111", "-t 0x20"})
    void doesWhatCDoesWithFurtherOptions(String option) throws Exception {
        String options = Rxe.IPV4 + " -c 2 " + option;
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
    void sendsOnePacketAndNoMore() throws Exception {
        RunningCommand server = javaServer(Rxe.IPV4);
        assertThat(javaClient(Rxe.IPV4 + " -S 100000").end(1)).contains("one packet", "active MTU");
        javaClient(Rxe.IPV4).success();
        server.success();
    }

    @Test
    void givesAdviceWhenThereIsNoListener() throws Exception {
        assertThat(javaClient(Rxe.IPV4).end(1))
                .containsSubsequence("test complete", "return status 1", "is a server running there");
    }
}
