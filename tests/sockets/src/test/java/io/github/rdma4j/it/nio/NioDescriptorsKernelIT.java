// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
 * A server that has no descriptors left, in a process of its own. The first client is connected before, and tells the server what
 * to do: {@link #EXHAUST}, {@link #FREE} or {@link #COUNT}.
 */
@RequiresKernel
class NioDescriptorsKernelIT {
    private static final byte EXHAUST = 1;
    private static final byte FREE = 2;

    /** Asks how many selections and how many failed accepts there were since the descriptors were exhausted. */
    private static final byte COUNT = 3;

    /** Any other byte comes back. */
    private static final byte ECHO = 9;

    /** The server's loop. It pauses accepting after a failed accept, as Netty's does, until there are descriptors again. */
    static final class Server {
        private final Selector selector;
        private final ServerSocketChannel listener;
        private final List<FileInputStream> files = new ArrayList<>();
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
                case EXHAUST -> exhaust();
                case FREE -> free();
                case COUNT -> bytes.put(0, (byte) Math.min(selections + 10 * failures, Byte.MAX_VALUE));
                default -> {}
            }
            channel.write(bytes.flip());
        }

        private void exhaust() {
            NioDescriptorsKernelIT.exhaust(files);
            selections = 0;
            failures = 0;
        }

        private void free() throws IOException {
            for (FileInputStream file : files) {
                file.close();
            }
            listener.keyFor(selector).interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    /** Listens at every address, and so on no device before a request comes; each connection gets a byte back. */
    static final class EverywhereServer {
        private EverywhereServer() {}

        public static void main(String[] none) throws Exception {
            ServerSocketChannel listener =
                    OverRdma.provider("rdma *").openServerSocketChannel().bind(new InetSocketAddress(0));
            ServerSocket orders = new ServerSocket(0);
            System.out.println("orders at " + orders.getLocalPort() + ", port "
                    + ((InetSocketAddress) listener.getLocalAddress()).getPort() + ".");
            Socket giver = orders.accept();
            new Thread(() -> obey(giver)).start();
            while (true) {
                try (SocketChannel channel = listener.accept()) {
                    ByteBuffer bytes = ByteBuffer.allocate(1);
                    channel.read(bytes);
                    channel.write(bytes.flip());
                }
            }
        }

        private static void obey(Socket giver) {
            List<FileInputStream> files = new ArrayList<>();
            try {
                for (int order = giver.getInputStream().read();
                        order > 0;
                        order = giver.getInputStream().read()) {
                    if (order == FREE) {
                        for (FileInputStream file : files) {
                            file.close();
                        }
                    } else {
                        exhaust(files);
                    }
                    giver.getOutputStream().write(order);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Connects to two ports where TCP listens, to the second without descriptors. */
    static final class Client {
        private Client() {}

        public static void main(String[] ports) throws Exception {
            SelectorProvider either = OverRdma.provider("");
            List<SocketChannel> channels = List.of(either.openSocketChannel(), either.openSocketChannel());
            for (int i = 0; i < 2; i++) {
                channels.get(i).connect(new InetSocketAddress(Rxe.IPV4, Integer.parseInt(ports[i])));
                exhaust(new ArrayList<>());
            }
            System.out.println("both are connected");
        }
    }

    static void exhaust(List<FileInputStream> files) {
        try {
            while (true) {
                files.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException exhausted) {
            // As many as there may be.
        }
    }

    private static Program start(String rules) {
        return start(Server.class, rules);
    }

    /** A program that may have 200 descriptors. */
    static Program start(Class<?> main, String... rules) {
        List<String> command = new ArrayList<>(List.of("prlimit", "--nofile=200:200"));
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

    private static byte ask(SocketChannel channel, byte what) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(new byte[] {what});
        assertThat(channel.write(bytes)).isEqualTo(1);
        bytes.clear();
        assertThat(channel.read(bytes)).isEqualTo(1);
        return bytes.get(0);
    }

    /**
     * The refusal of the server when it has no descriptors. Until then {@code others} may connect: what a thread of the
     * server has open for a moment comes back after the server has taken the others.
     */
    private static Throwable refusal(SocketChannel first, InetSocketAddress address, List<SocketChannel> others)
            throws IOException {
        Throwable refusal = null;
        while (refusal == null) {
            assertThat(ask(first, EXHAUST)).isEqualTo(EXHAUST);
            SocketChannel next = OverRdma.PROVIDER.openSocketChannel();
            others.add(next);
            refusal = catchThrowable(() -> next.connect(address));
        }
        return refusal;
    }

    @Test
    void overRdmaClientsAreRefusedAndToldWhyUntilThereAreDescriptorsAgain() throws Exception {
        try (Program server = start("fallback none")) {
            InetSocketAddress address = address(server);
            List<SocketChannel> others = new ArrayList<>();
            try (SocketChannel first = connect(OverRdma.PROVIDER, address)) {
                assertThat(refusal(first, address, others))
                        .isExactlyInstanceOf(ConnectException.class)
                        .hasMessage("Connection refused")
                        .rootCause()
                        .isInstanceOf(CmEventException.class);
                assertThatThrownBy(() -> RsocketChannel.connect(address))
                        .isInstanceOf(ConnectException.class)
                        .hasMessageContaining("the listener's side has no file descriptors left");
                // The question itself: the loop has slept otherwise.
                assertThat(ask(first, COUNT)).isEqualTo((byte) 1);
                assertThat(ask(first, FREE)).isEqualTo(FREE);
                server.awaitOutput("refuses connections");
                try (SocketChannel last = connect(OverRdma.PROVIDER, address)) {
                    assertThat(ask(last, ECHO)).isEqualTo(ECHO);
                }
            } finally {
                for (SocketChannel other : others) {
                    other.close();
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
            try (Socket control = new Socket(InetAddress.getLoopbackAddress(), server.awaitNumber("orders at"))) {
                order(control, EXHAUST);
                assertThatThrownBy(() -> connect(OverRdma.PROVIDER, address)).isInstanceOf(ConnectException.class);
                order(control, FREE);
                try (SocketChannel next = connect(OverRdma.PROVIDER, address)) {
                    assertThat(ask(next, ECHO)).isEqualTo(ECHO);
                }
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

    private static void order(Socket control, byte what) throws IOException {
        control.getOutputStream().write(what);
        assertThat(control.getInputStream().read()).isEqualTo(what);
    }

    @Nightly
    @Test
    void overTcpTheConnectionWaitsUntilThereAreDescriptorsAgain() throws Exception {
        SelectorProvider either = OverRdma.provider("");
        try (Program server = start("")) {
            InetSocketAddress address = address(server);
            try (SocketChannel first = connect(OverRdma.PROVIDER, address)) {
                assertThat(ask(first, EXHAUST)).isEqualTo(EXHAUST);
                try (SocketChannel waiting = connect(either, address)) {
                    assertThat(waiting.toString()).doesNotEndWith(" over RDMA]");
                    server.awaitOutput("accept: Too many open files");
                    assertThat(ask(first, ECHO)).isEqualTo(ECHO);
                    // A failed accept, its selection, and those of the two bytes.
                    assertThat(ask(first, COUNT)).isEqualTo((byte) 13);
                    assertThat(ask(first, FREE)).isEqualTo(FREE);
                    assertThat(ask(waiting, ECHO)).isEqualTo(ECHO);
                }
            }
        }
    }
}
