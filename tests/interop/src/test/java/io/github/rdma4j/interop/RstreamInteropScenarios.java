// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Program;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our rstream and C's, each as the client of the other: all sizes and ways to wait, with every byte compared. */
abstract class RstreamInteropScenarios {
    private static String arguments(String role, int port, String options) {
        return role + " " + Rxe.IPV4 + " -p " + port + " " + options;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-S 1 -C 100 -I 2 -T v -T b",
                "-S 64 -C 100 -I 10 -T v -T n",
                "-S 2048 -C 100 -I 2 -T v -T b",
                "-S 65536 -C 50 -I 2 -T v -T b",
                "-S 65536 -C 20 -I 2 -T v -T n",
                "-S 1000000 -C 5 -I 1 -T v -T b",
                "-S 6291456 -C 1 -I 1 -T v -T b",
                "-S 64 -C 1000 -I 1 -T v -T b -B 4096",
                "-S 100000 -C 3 -I 2 -T v -T b -B 4096",
                "-S 300 -C 1000 -I 1 -T v -T b -i 0"
            })
    void servesTheCClient(String options) throws Exception {
        int port = Rxe.newPort();
        RunningCommand server = RunningCommand.server("rstream " + arguments("-b", port, options), port);
        try (Program client = Program.start(("rstream " + arguments("-s", port, options)).split(" "))) {
            client.success();
        }
        server.success();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-S 1 -C 100 -I 2 -T v -T b",
                "-S 64 -C 100 -I 10 -T v -T n",
                "-S 64 -C 100 -I 10 -T v -T a",
                "-S 2048 -C 100 -I 2 -T v -T b",
                "-S 65536 -C 50 -I 2 -T v -T b",
                "-S 1000000 -C 5 -I 1 -T v -T b",
                "-S 6291456 -C 1 -I 1 -T v -T b",
                "-S 100000 -C 3 -I 2 -T v -T b -B 4096",
                "-S 300 -C 1000 -I 1 -T v -T b -k 1"
            })
    void isServedByTheCServer(String options) throws Exception {
        while (!isServed(options)) {
            // The server spoke too soon.
        }
    }

    private static boolean isServed(String options) throws Exception {
        int port = Rxe.newPort();
        try (Program server = Listeners.server("rstream " + arguments("-b", port, options), port)) {
            RunningCommand client = RunningCommand.run("rstream " + arguments("-s", port, options));
            if (Listeners.spokeTooSoon(client.complaint())) {
                return false;
            }
            client.success();
            server.success();
            return true;
        }
    }
}
