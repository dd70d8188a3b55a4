// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.netty.OtherNetty;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The libraries that the guide connects: what they say goes over RDMA, and nothing over TCP. */
@RequiresKernel
class FrameworksKernelIT {
    private static final int SEGMENTS = 11;

    private long packets;
    private long segments;

    @BeforeEach
    void count() throws IOException {
        packets = packets();
        segments = segments();
    }

    /** A connect, a question and an answer, and an end are ten packets and more. */
    @AfterEach
    void wentOverRdma() throws IOException {
        assertThat(packets() - packets).isGreaterThanOrEqualTo(10);
        assertThat(segments() - segments).isZero();
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
        assertThat(lines.get(0).split(" ")[SEGMENTS]).isEqualTo("OutSegs");
        return Long.parseLong(lines.get(1).split(" ")[SEGMENTS]);
    }

    @Test
    void vertx() throws Exception {
        assertThat(VertxHttp.run(Rxe.IPV4)).isEqualTo("Hello, Vert.x");
    }

    @Test
    void reactorNetty() {
        assertThat(ReactorHttp.run(Rxe.IPV4)).isEqualTo("Hello, Reactor");
    }

    @Test
    void grpc() throws Exception {
        assertThat(GrpcEcho.run(Rxe.IPV4)).isEqualTo("Hello, gRPC");
    }

    @Test
    void grpcWithNetty41() throws Exception {
        try (Program program = Program.start(OtherNetty.java("netty-4.1", GrpcEcho.class, Rxe.IPV4))) {
            assertThat(program.success()).contains("Hello, gRPC");
        }
    }

    @Test
    void lettuce() throws Exception {
        assertThat(LettuceGet.run(Rxe.IPV4)).isEqualTo("Hello, Lettuce");
    }
}
