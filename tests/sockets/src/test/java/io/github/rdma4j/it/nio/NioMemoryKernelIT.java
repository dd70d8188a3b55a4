// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.net.ConnectException;
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
    private static final String LIMIT = "8192";

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

    /** Listens, and accepts what comes. */
    static final class Server {
        private Server() {}

        public static void main(String[] rules) throws Exception {
            try (ServerSocketChannel listener = OverRdma.provider(rules[0]).openServerSocketChannel()) {
                listener.bind(new InetSocketAddress(Rxe.IPV4, 0));
                System.out.println("port " + ((InetSocketAddress) listener.getLocalAddress()).getPort() + ".");
                while (true) {
                    System.out.println("accepted: " + listener.accept());
                }
            }
        }
    }

    private static List<String> withoutMemory(Class<?> program, String argument) {
        List<String> command = new ArrayList<>(List.of(
                "prlimit", "--memlock=" + LIMIT + ":" + LIMIT, "setpriv", "--bounding-set=-all", "--inh-caps=-all"));
        command.addAll(Program.java(program, argument));
        return command;
    }

    @Nightly
    @Test
    void aListenerWithoutMemoryRefusesAtOnceAndBothSidesSayWhy() throws Exception {
        try (Program server = Program.start(withoutMemory(Server.class, ""))) {
            InetSocketAddress address = new InetSocketAddress(Rxe.IPV4, server.awaitNumber("port"));
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> RsocketChannel.connect(address))
                        .isInstanceOf(ConnectException.class)
                        .hasMessageStartingWith("Connection refused: the listener's side has no memory left")
                        .hasMessageContaining("ulimit -l");
            }
            server.awaitOutput("refuses connections");
            server.awaitOutput("RLIMIT_MEMLOCK is " + LIMIT);
            try (SocketChannel channel = OverRdma.provider("").openSocketChannel()) {
                channel.connect(address);
                assertThat(channel.toString()).doesNotContain("over RDMA");
                server.awaitOutput("accepted: ");
            }
            assertThat(server.output().split("refuses connections", -1))
                    .as("told once")
                    .hasSize(2);
        }
    }

    @Test
    void theConnectFailsWithWhatToDoOrGoesOverTcp() throws Exception {
        try (ServerSocketChannel listener = OverRdma.provider("").openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(Rxe.IPV4, 0));
            InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
            try (Program client = Program.start(withoutMemory(Client.class, Integer.toString(address.getPort())))) {
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
