// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.rstream.RstreamCommand;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Our rstream and C's, each as the client of the other: all sizes and ways to wait, with every byte compared. */
abstract class RstreamInteropScenarios {
    private final StringWriter complaint = new StringWriter();

    private static List<String> arguments(String role, int port, String options) {
        List<String> all = new ArrayList<>(List.of(role, Rxe.IPV4, "-p", Integer.toString(port)));
        all.addAll(List.of(options.split(" ")));
        return all;
    }

    private int java(List<String> arguments) {
        return new CommandLine(new RstreamCommand())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    failure.printStackTrace(new PrintWriter(complaint, true));
                    return 1;
                })
                .execute(arguments.toArray(String[]::new));
    }

    private static Program c(List<String> arguments) {
        List<String> line = new ArrayList<>(List.of("rstream"));
        line.addAll(arguments);
        return Program.start(line.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
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
        Await.Running<Integer> server = Await.inThread(() -> java(arguments("-b", port, options)));
        Listeners.await(port);
        try (Program client = c(arguments("-s", port, options))) {
            client.success();
        }
        assertThat(server.result()).as(complaint.toString()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
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
            complaint.getBuffer().setLength(0);
        }
    }

    private boolean isServed(String options) throws Exception {
        int port = Rxe.newPort();
        try (Program server = c(arguments("-b", port, options))) {
            Listeners.await(port);
            int status = java(arguments("-s", port, options));
            if (status != 0 && Listeners.spokeTooSoon(complaint.toString())) {
                return false;
            }
            assertThat(status).as(complaint + "; " + server).isZero();
            server.success();
            return true;
        }
    }
}
