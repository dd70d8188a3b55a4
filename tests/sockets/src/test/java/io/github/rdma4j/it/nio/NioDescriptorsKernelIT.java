// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A server in a process of its own whose limit of descriptors falls below what it has open, so that none of those that its JVM
 * closes now and then helps it.
 */
@RequiresKernel
class NioDescriptorsKernelIT {
    private static final int ENOUGH = 200;

    /** A JVM has more than these open for good. */
    private static final int NONE = 8;

    /** Accepts again. */
    private static final byte ACCEPT = 2;

    /** Asks how many selections and how many failed accepts there were since the last such question. */
    private static final byte COUNT = 3;

    /** Any other byte comes back. */
    private static final byte ECHO = 9;

    /** The server's loop. It pauses accepting after a failed accept, as Netty's does, until there are descriptors again. */
    static final class Server {
        private final Selector selector;
        private final ServerSocketChannel listener;
        private int selections;
        private int failures;

        private Server(SelectorProvider provider) throws IOException {
            selector = provider.openSelector();
            listener = provider.openServerSocketChannel().bind(new InetSocketAddress(Rxe.IPV4, 0));
            listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        }

        public static void main(String[] rules) throws Exception {
            Server server = new Server(OverRdma.provider(rules[0]));
            System.out.println("port " + ((InetSocketAddress) server.listener.getLocalAddress()).getPort() + ".");
            while (true) {
                server.selector.select();
                server.selections++;
                for (SelectionKey key : server.selector.selectedKeys()) {
                    if (key.channel() instanceof SocketChannel channel) {
                        server.serve(channel);
                    } else {
                        server.accept();
                    }
                }
                server.selector.selectedKeys().clear();
            }
        }

        private void accept() throws IOException {
            SocketChannel channel;
            try {
                channel = listener.accept();
            } catch (IOException e) {
                System.out.println("accept: " + e.getMessage());
                failures++;
                listener.keyFor(selector).interestOps(0);
                return;
            }
            if (channel != null) {
                channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            }
        }

        private void serve(SocketChannel channel) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(1);
            if (channel.read(bytes) < 0) {
                channel.close();
                return;
            }
            if (bytes.position() == 0) {
                return;
            }
            switch (bytes.get(0)) {
                case ACCEPT -> listener.keyFor(selector).interestOps(SelectionKey.OP_ACCEPT);
                case COUNT -> {
                    bytes.put(0, (byte) Math.min(selections + 10 * failures, Byte.MAX_VALUE));
                    selections = 0;
                    failures = 0;
                }
                default -> {}
            }
            channel.write(bytes.flip());
        }
    }

    /** Listens at every address, and so on no device before a request comes; each connection gets a byte back. */
    static final class EverywhereServer {
        private EverywhereServer() {}

        public static void main(String[] none) throws Exception {
            ServerSocketChannel listener =
                    OverRdma.provider("rdma *").openServerSocketChannel().bind(new InetSocketAddress(0));
            System.out.println("port " + ((InetSocketAddress) listener.getLocalAddress()).getPort() + ".");
            while (true) {
                try (SocketChannel channel = listener.accept()) {
                    ByteBuffer bytes = ByteBuffer.allocate(1);
                    channel.read(bytes);
                    channel.write(bytes.flip());
                }
            }
        }
    }

    /** Connects to two ports where TCP listens, to the second without descriptors. */
    static final class Client {
        private Client() {}

        public static void main(String[] ports) throws Exception {
            SelectorProvider either = OverRdma.provider("");
            List<SocketChannel> channels = List.of(either.openSocketChannel(), either.openSocketChannel());
            channels.get(0).connect(new InetSocketAddress(Rxe.IPV4, Integer.parseInt(ports[0])));
            limit(ProcessHandle.current().pid(), NONE);
            channels.get(1).connect(new InetSocketAddress(Rxe.IPV4, Integer.parseInt(ports[1])));
            System.out.println("both are connected");
        }
    }

    private static void limit(long pid, int descriptors) throws InterruptedException {
        Program.run("prlimit", "--pid", String.valueOf(pid), "--nofile=" + descriptors + ":");
    }

    private static Program start(String rules) {
        return start(Server.class, rules);
    }

    /** A program that may have {@link #ENOUGH} descriptors. */
    static Program start(Class<?> main, String... rules) {
        List<String> command = new ArrayList<>(List.of("prlimit", "--nofile=" + ENOUGH));
        command.addAll(Program.java(main, rules));
        return Program.start(command);
    }

    private static InetSocketAddress address(Program server) {
        return new InetSocketAddress(Rxe.IPV4, server.awaitNumber("port"));
    }

    private static SocketChannel connect(SelectorProvider provider, InetSocketAddress address) throws IOException {
        SocketChannel channel = provider.openSocketChannel();
        assertThat(channel.connect(address)).isTrue();
        return channel;
    }

    /** An accept needs a descriptor, too, and may come later than the client's connect ends. */
    private static SocketChannel accepted(InetSocketAddress address) throws IOException {
        SocketChannel channel = connect(OverRdma.PROVIDER, address);
        assertThat(ask(channel, ECHO)).isEqualTo(ECHO);
        return channel;
    }

    private static byte ask(SocketChannel channel, byte what) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {what});
        assertThat(channel.write(bytes)).isEqualTo(1);
        bytes.clear();
        assertThat(channel.read(bytes)).isEqualTo(1);
        return bytes.get(0);
    }

    @Test
    void overRdmaClientsAreRefusedAndToldWhyUntilThereAreDescriptorsAgain() throws Exception {
        try (Program server = start("fallback none")) {
            InetSocketAddress address = address(server);
            try (SocketChannel first = accepted(address)) {
                limit(server.pid(), NONE);
                assertThat(ask(first, COUNT)).isPositive();
                assertThatThrownBy(() -> connect(OverRdma.PROVIDER, address))
                        .isExactlyInstanceOf(ConnectException.class)
                        .hasMessage("Connection refused")
                        .rootCause()
                        .isInstanceOf(CmEventException.class);
                assertThatThrownBy(() -> RsocketChannel.connect(address))
                        .isInstanceOf(ConnectException.class)
                        .hasMessageContaining("the listener's side has no file descriptors left");
                // The question itself: the loop has slept otherwise.
                assertThat(ask(first, COUNT)).isEqualTo((byte) 1);
                limit(server.pid(), ENOUGH);
                server.awaitOutput("refuses connections");
                try (SocketChannel last = connect(OverRdma.PROVIDER, address)) {
                    assertThat(ask(last, ECHO)).isEqualTo(ECHO);
                }
            }
        }
    }

    /** The device cannot be opened. */
    @Nightly
    @Test
    void aListenerAtEveryAddressRefusesTheFirstClientAndServesTheNext() throws Exception {
        try (Program server = start(EverywhereServer.class, "")) {
            InetSocketAddress address = address(server);
            limit(server.pid(), NONE);
            assertThatThrownBy(() -> connect(OverRdma.PROVIDER, address)).isInstanceOf(ConnectException.class);
            limit(server.pid(), ENOUGH);
            try (SocketChannel next = connect(OverRdma.PROVIDER, address)) {
                assertThat(ask(next, ECHO)).isEqualTo(ECHO);
            }
        }
    }

    @Test
    void aClientWithoutDescriptorsForRdmaConnectsOverTcp() throws Exception {
        InetAddress address = InetAddress.getByName(Rxe.IPV4);
        try (ServerSocket first = new ServerSocket(0, 1, address);
                ServerSocket second = new ServerSocket(0, 1, address);
                Program client = start(
                        Client.class, String.valueOf(first.getLocalPort()), String.valueOf(second.getLocalPort()))) {
            assertThat(client.success()).contains("Too many open files", "both are connected");
        }
    }

    @Nightly
    @Test
    void overTcpTheConnectionWaitsUntilThereAreDescriptorsAgain() throws Exception {
        SelectorProvider either = OverRdma.provider("");
        try (Program server = start("")) {
            InetSocketAddress address = address(server);
            try (SocketChannel first = accepted(address)) {
                limit(server.pid(), NONE);
                assertThat(ask(first, COUNT)).isPositive();
                try (SocketChannel waiting = connect(either, address)) {
                    assertThat(waiting.toString()).doesNotEndWith(" over RDMA]");
                    server.awaitOutput("accept: Too many open files");
                    assertThat(ask(first, ECHO)).isEqualTo(ECHO);
                    // A failed accept, its selection, and those of the two bytes.
                    assertThat(ask(first, COUNT)).isEqualTo((byte) 13);
                    limit(server.pid(), ENOUGH);
                    assertThat(ask(first, ACCEPT)).isEqualTo(ACCEPT);
                    assertThat(ask(waiting, ECHO)).isEqualTo(ECHO);
                }
            }
        }
    }
}
