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
import org.junit.jupiter.params.provider.CsvSource;

/** Our ping and C rping, each as the client of the other, with the data verified on the client's side. */
abstract class PingInteropScenarios {
    private final int port = Rxe.newPort();

    private RunningCommand javaServer(String options) {
        return RunningCommand.server("ping --server " + options + " -p " + port, port);
    }

    private RunningCommand javaClient(String options) {
        return RunningCommand.start("ping " + options + " -p " + port);
    }

    private String rping(String role, String host, int size) {
        return "rping " + role + " -V -C 100 -S " + size + " -a " + host + " -p " + port;
    }

    private Program cServer(String host, int size) {
        return Listeners.server(rping("-s", host, size), port);
    }

    private Program cClient(String host, int size) {
        return Program.start(rping("-c", host, size).split(" "));
    }

    private static void assertVerified(Program client) throws InterruptedException {
        try (client) {
            assertThat(client.success()).doesNotContain("mismatch");
        }
    }

    @ParameterizedTest
    @CsvSource({"10.77.0.1, 64", "10.77.0.1, 65535", "fd77::1, 64", "fd77::1, 65535"})
    void servesTheCClient(String host, int size) throws Exception {
        RunningCommand server = javaServer(host + " --once");
        assertVerified(cClient(host, size));
        server.success();
    }

    @ParameterizedTest
    @CsvSource({"10.77.0.1, 64", "10.77.0.1, 65535", "fd77::1, 64", "fd77::1, 65535"})
    void isServedByTheCServer(String host, int size) throws Exception {
        try (Program server = cServer(host, size)) {
            javaClient(host + " -C 100 -S " + size).success();
            server.success();
        }
    }

    @Test
    void servesFiveCClientsAtOnceAndThenAnother() throws Exception {
        try (RunningCommand server = javaServer(Rxe.IPV4)) {
            for (Program client :
                    Stream.generate(() -> cClient(Rxe.IPV4, 1000)).limit(5).toList()) {
                assertVerified(client);
            }
            assertVerified(cClient(Rxe.IPV4, 64));
            server.awaitOutput("served 100 pings");
        }
    }

    @Test
    void endsWhenTheCServerIsKilled() throws Exception {
        try (Program server = cServer(Rxe.IPV4, 64)) {
            RunningCommand client = javaClient(Rxe.IPV4);
            Listeners.awaitConnection(port);
            server.kill();
            client.end(1);
        }
    }

    @Test
    void continuesToServeWhenACClientIsKilled() throws Exception {
        try (RunningCommand server = javaServer(Rxe.IPV4);
                Program endless = Program.start(("rping -c -V -a " + Rxe.IPV4 + " -p " + port).split(" "))) {
            Listeners.awaitConnection(port);
            endless.kill();
            assertVerified(cClient(Rxe.IPV4, 64));
            server.awaitOutput("served 100 pings");
        }
    }

    @Test
    void failsWhenNoCServerListens() throws Exception {
        javaClient(Rxe.IPV4 + " -C 1").end(1);
    }
}
