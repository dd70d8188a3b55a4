// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Direct writes between Java and C's riostream, each as the client of the other; every byte is compared. */
abstract class RiostreamInteropScenarios {
    private static final String RUNS = """
            64, 10, 150, -T n
            4096, 10, 10, -T n
            4096, 10, 10, -T a
            65536, 5, 4, -T b
            100000, 3, 3, -T b -B 4096
            1000000, 3, 2, -T b
            """;

    private static Program c(String role, int port, int size, String others) {
        String line = "riostream " + role + " " + Rxe.IPV4 + " -p " + port + " -S " + size + " -T v " + others;
        return Program.start(line.split(" "));
    }

    private static String turns(int transfers, int iterations, String others) {
        return "-C " + transfers + " -I " + iterations + " " + others;
    }

    /** As riostream has them: room for a mapping, and buffers of twice the size of -B. */
    private static RsocketOptions options(String others) {
        int buffer = others.contains("-B 4096") ? 2 * 4096 : 1 << 20;
        return RsocketOptions.builder()
                .iomaps(1)
                .sendBuffer(buffer)
                .receiveBuffer(buffer)
                .build();
    }

    @ParameterizedTest
    @CsvSource(textBlock = RUNS)
    final void servesTheCClient(int size, int transfers, int iterations, String others) throws Exception {
        int port = Rxe.newPort();
        InetSocketAddress at = new InetSocketAddress(Rxe.IPV4, port);
        try (RsocketListener listener = RsocketListener.listen(at, 1, options(others));
                Program client = c("-s", port, size, turns(transfers, iterations, others));
                RsocketChannel channel = listener.accept(Await.LIMIT).orElseThrow()) {
            new Riostream(channel, false, size).run(transfers, iterations);
            client.success();
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = RUNS)
    final void isServedByTheCServer(int size, int transfers, int iterations, String others) throws Exception {
        while (!isServed(size, transfers, iterations, others)) {
            // The server was not ready.
        }
    }

    /**
     * Returns false if the connection came before the server had set its options, which it sets after it listens, or if the server spoke
     * too soon.
     */
    private static boolean isServed(int size, int transfers, int iterations, String others) throws Exception {
        int port = Rxe.newPort();
        try (Program server = c("-b", port, size, turns(transfers, iterations, others))) {
            Listeners.await(port);
            InetSocketAddress to = new InetSocketAddress(Rxe.IPV4, port);
            try (RsocketChannel channel = RsocketChannel.connect(to, options(others))) {
                new Riostream(channel, true, size).run(transfers, iterations);
            } catch (RdmaException failure) {
                if (String.valueOf(failure.getMessage()).contains("has room for 0 mappings")) {
                    return false;
                }
                throw failure;
            } catch (ConnectException failure) {
                if (Listeners.spokeTooSoon(failure.toString())) {
                    return false;
                }
                throw failure;
            } catch (AssertionError failure) {
                throw new AssertionError("with " + server, failure);
            }
            server.success();
            return true;
        }
    }
}
