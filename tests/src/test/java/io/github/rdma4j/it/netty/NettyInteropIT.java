// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.Program;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C's rstream as the client of a server with Netty, which sends back every byte; the client compares them. */
@RequiresKernel
class NettyInteropIT {
    private final Ends ends = new Ends();

    @AfterEach
    void close() {
        ends.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-S 1 -C 100 -I 2 -T v -T b",
                "-S 64 -C 100 -I 10 -T v -T n",
                "-S 64 -C 100 -I 10 -T v -T a",
                "-S 65536 -C 50 -I 2 -T v -T b",
                "-S 1000000 -C 5 -I 1 -T v -T b",
                "-S 100000 -C 3 -I 2 -T v -T b -B 4096"
            })
    void servesTheCClient(String options) throws Exception {
        InetSocketAddress at = (InetSocketAddress)
                ends.server(Echo::new).bind().sync().channel().localAddress();
        List<String> line = new ArrayList<>(List.of("rstream", "-s", Rxe.IPV4, "-p", Integer.toString(at.getPort())));
        line.addAll(List.of(options.split(" ")));
        try (Program client = Program.start(line.toArray(String[]::new))) {
            client.success();
        }
        ends.accepted().closeFuture().sync();
    }
}
