// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.Main;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our cmtime and the C one, each as the client of the other: every connection takes every step. */
abstract class CmtimeInteropScenarios {
    private static final int KILLED = 128 + 9;

    /** The start of a JVM takes long in a guest under emulation whose host is busy. */
    private static final Duration START = Duration.ofMinutes(3);

    private static final String[] FAILURES = {"failure", "error", "event:", "RDMA_CM_EVENT"};

    private final int port = Rxe.newPort();
    private final String at = " -p " + port;

    private RunningCommand javaServer(String host) {
        return RunningCommand.server("cmtime -b " + host + at, port);
    }

    private RunningCommand javaClient(String options) throws InterruptedException {
        return RunningCommand.run("cmtime -s " + options + " -c 100" + at);
    }

    private Program cClient(String options) {
        return Program.start(("cmtime -s " + options + " -c 100" + at).split(" "));
    }

    private void assertServesC(String options) throws Exception {
        try (Program client = cClient(options)) {
            assertThat(client.success()).contains("destroy").doesNotContain(FAILURES);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void servesTheCClient(String host) throws Exception {
        try (RunningCommand server = javaServer(host)) {
            assertServesC(host);
            assertServesC(host + " -b " + host);
            assertThat(server).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {Rxe.IPV4, Rxe.IPV6})
    void isServedByTheCServer(String host) throws Exception {
        try (Program server = Listeners.server("cmtime -b " + host + at, port)) {
            javaClient(host).success();
            javaClient(host + " -b " + host).success();
            assertThat(server.output()).doesNotContain(FAILURES);
        }
    }

    @Test
    void isServedByItself() throws Exception {
        try (RunningCommand server = javaServer(Rxe.IPV4)) {
            javaClient(Rxe.IPV4).success();
            assertThat(server).isNotNull();
        }
    }

    /** The server is stopped until the client is dead: a client that waits for it is certainly killed while it connects. */
    @Nightly
    @Test
    void continuesToServeWhenACClientIsKilled() throws Exception {
        String number = Integer.toString(port);
        try (Program server = Program.start(Program.java(Main.class, "cmtime", "-b", Rxe.IPV4, "-p", number))) {
            server.awaitOutput("listening", START);
            server.signal("STOP");
            try (Program first = cClient(Rxe.IPV4)) {
                Listeners.awaitConnection(port);
                first.kill();
                assertThat(first.status()).isEqualTo(KILLED);
            }
            server.signal("CONT");
            assertServesC(Rxe.IPV4);
        }
    }

    @Test
    void failsWithoutAListener() throws Exception {
        javaClient(Rxe.IPV4).end(1);
    }
}
