// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.OtherNetty;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The libraries that the guide connects: what they say goes over RDMA, and nothing over TCP. */
@RequiresKernel
class FrameworksKernelIT {
    private static final int SEGMENTS = 11;
    private static final int LENGTH = 1_000_000;
    private static final int PACKET = 4096;
    private static final String TEXT = text();

    private long packets;
    private long segments;

    @BeforeEach
    void count() throws IOException {
        packets = packets();
        segments = segments();
    }

    /** The text goes there, and comes back. */
    @AfterEach
    void wentOverRdma() throws IOException {
        assertThat(packets() - packets).isGreaterThan(2 * LENGTH / PACKET);
        assertThat(segments() - segments).isZero();
    }

    /** The other process, with another Netty. */
    static final class Grpc {
        private Grpc() {}

        public static void main(String[] none) throws Exception {
            System.out.println("equal: " + GrpcEcho.run(Rxe.IPV4, TEXT).equals(TEXT));
        }
    }

    private static String text() {
        return new Random(NewSeed.of(FrameworksKernelIT.class.getSimpleName()))
                .ints(LENGTH, 'a', 'z' + 1)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static long packets() throws IOException {
        return Long.parseLong(
                Files.readString(Path.of("/sys/class/infiniband/" + Rxe.DEVICE + "/ports/1/hw_counters/sent_pkts"))
                        .strip());
    }

    /** The segments of TCP that this guest has sent. */
    private static long segments() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/net/snmp")).stream()
                .filter(line -> line.startsWith("Tcp:"))
                .toList();
        assertThat(lines.get(0).split(" ", -1)[SEGMENTS]).isEqualTo("OutSegs");
        return Long.parseLong(lines.get(1).split(" ", -1)[SEGMENTS]);
    }

    @Test
    void vertx() throws Exception {
        assertThat(VertxHttp.run(Rxe.IPV4, TEXT)).isEqualTo(TEXT);
    }

    @Test
    void reactorNetty() {
        assertThat(ReactorHttp.run(Rxe.IPV4, TEXT)).isEqualTo(TEXT);
    }

    @Test
    void grpc() throws Exception {
        assertThat(GrpcEcho.run(Rxe.IPV4, TEXT)).isEqualTo(TEXT);
    }

    @Nightly
    @Test
    void grpcWithNetty41() throws Exception {
        try (Program program = Program.start(OtherNetty.java("netty-4.1", Grpc.class))) {
            assertThat(program.success()).contains("equal: true");
        }
    }

    @Test
    void lettuce() throws Exception {
        assertThat(LettuceGet.run(Rxe.IPV4, TEXT)).isEqualTo(TEXT);
    }
}
