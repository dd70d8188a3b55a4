// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A process, without privilege, that may pin less memory than a connection takes. */
@RequiresKernel
class NioMemoryKernelIT {
    private static final String LIMIT = "65536";

    /** Connects over RDMA, and then over RDMA or TCP. */
    static final class Client {
        private Client() {}

        public static void main(String[] port) {
            InetSocketAddress server = new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port[0]));
            System.out.println("alone: " + connect(OverRdma.PROVIDER, server));
            System.out.println("either: " + connect(OverRdma.provider(""), server));
        }

        private static String connect(SelectorProvider provider, InetSocketAddress server) {
            try (SocketChannel channel = provider.openSocketChannel()) {
                channel.connect(server);
                channel.write(ByteBuffer.allocate(1));
                return channel.toString();
            } catch (IOException e) {
                return e.getClass().getSimpleName() + " " + e.getMessage() + ", " + e.getCause();
            }
        }
    }

    @Test
    void theConnectFailsWithWhatToDoOrGoesOverTcp() throws Exception {
        try (ServerSocketChannel listener = OverRdma.provider("").openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(Rxe.IPV4, 0));
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            List<String> command = new ArrayList<>(List.of(
                    "prlimit",
                    "--memlock=" + LIMIT + ":" + LIMIT,
                    "setpriv",
                    "--bounding-set=-all",
                    "--inh-caps=-all"));
            command.addAll(Program.java(Client.class, Integer.toString(address.getPort())));
            try (Program client = Program.start(command)) {
                String said = client.success();
                assertThat(said).contains("alone: SocketException", "ENOMEM", "RLIMIT_MEMLOCK is " + LIMIT);
                assertThat(said.substring(said.indexOf("either: ")))
                        .contains("[connected ")
                        .doesNotContain("over RDMA");
            }
            try (SocketChannel accepted = listener.accept()) {
                assertThat(accepted.read(ByteBuffer.allocate(2))).isEqualTo(1);
            }
        }
    }
}
