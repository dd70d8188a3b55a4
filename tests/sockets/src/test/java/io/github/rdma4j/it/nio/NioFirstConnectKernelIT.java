// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The clock of a connect over RDMA, in JVMs that have just started, and with a peer that answers late. */
@RequiresKernel
class NioFirstConnectKernelIT {
    private static final String SWITCH =
            "-Djava.nio.channels.spi.SelectorProvider=io.github.rdma4j.nio.RdmaSelectorProvider";
    private static final String RULES = "-Dio.github.rdma4j.nio.rules=";

    /** For a JVM that starts slowly: each class takes its time that the thread behind all connects is the first to use. */
    public static final class SlowLoader extends URLClassLoader {
        /** The JVM makes its class loader so. */
        public SlowLoader(ClassLoader parent) {
            super(classPath(), parent.getParent());
        }

        private static URL[] classPath() {
            return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(SlowLoader::url)
                    .toArray(URL[]::new);
        }

        private static URL url(String entry) {
            try {
                return Path.of(entry).toUri().toURL();
            } catch (MalformedURLException e) {
                throw new AssertionError(entry, e);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (Thread.currentThread().getName().equals("rdma4j-rsocket")) {
                try {
                    Thread.sleep(100);
                } catch (InterruptedException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
            return super.findClass(name);
        }
    }

    /** Connects to a port and tells how. */
    static final class Client {
        private Client() {}

        public static void main(String[] port) throws IOException {
            try (SocketChannel channel =
                    SocketChannel.open(new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port[0])))) {
                System.out.println(channel);
            }
        }
    }

    /** Accepts, and tells how, and when a connection ends. */
    static final class Server {
        private Server() {}

        public static void main(String[] port) throws IOException {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port[0])));
            System.out.println("listening");
            while (true) {
                SocketChannel channel = listener.accept();
                String way = OverRdma.isUsedBy(channel) ? "RDMA" : "TCP";
                System.out.println("accepted over " + way);
                Thread reader = new Thread(() -> {
                    System.out.println("ended over " + way + ": " + end(channel));
                });
                reader.start();
            }
        }

        private static String end(SocketChannel channel) {
            try (channel) {
                return Integer.toString(channel.read(ByteBuffer.allocate(1)));
            } catch (IOException e) {
                return e.toString();
            }
        }
    }

    private static Program java(Class<?> main, int port, String... options) {
        List<String> command = Program.java(main, Integer.toString(port));
        command.addAll(1, List.of(options));
        return Program.start(command);
    }

    private static SocketChannel connect(SelectorProvider provider, int port) throws IOException {
        SocketChannel channel = provider.openSocketChannel();
        assertThat(channel.connect(new InetSocketAddress(Rxe.IPV4, port))).isTrue();
        return channel;
    }

    @Nightly
    @Test
    void theFirstConnectOfAJvmThatStartsSlowlyGoesOverRdma() throws Exception {
        try (ServerSocketChannel listener = OverRdma.provider("both *").openServerSocketChannel()) {
            int port = Rxe.newPort();
            listener.bind(new InetSocketAddress(Rxe.IPV4, port));
            try (Program client = java(
                    Client.class,
                    port,
                    SWITCH,
                    RULES + "wait 1s",
                    "-Djava.system.class.loader=" + SlowLoader.class.getName())) {
                assertThat(client.success()).contains(" over RDMA]");
            }
        }
    }

    @Nightly
    @Test
    void aLateAnswerIsNoHalfOpenConnectionAndTheNextConnectAsksAgain() throws Exception {
        int port = Rxe.newPort();
        SelectorProvider provider = OverRdma.provider("wait 1s");
        try (Program server = java(Server.class, port, SWITCH)) {
            server.awaitOutput("listening");
            long start = System.nanoTime();
            server.signal("STOP");
            try (SocketChannel first = connect(provider, port);
                    SocketChannel second = connect(provider, port)) {
                assertThat(OverRdma.isUsedBy(first)).isFalse();
                assertThat(OverRdma.isUsedBy(second)).isFalse();
                server.signal("CONT");
                server.awaitOutput("ended over RDMA: -1");
                Await.until("over RDMA", () -> goesOverRdma(provider, port));
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .as("the memory of a silent address has not ended by itself")
                        .isLessThan(Duration.ofSeconds(12));
            }
        }
    }

    private static boolean goesOverRdma(SelectorProvider provider, int port) {
        try (SocketChannel channel = connect(provider, port)) {
            return OverRdma.isUsedBy(channel);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aPortThatIsRefusedKeepsNoOtherFromRdma() throws Exception {
        SelectorProvider provider = OverRdma.provider("both *");
        try (ServerSocketChannel overTcp = OverRdma.provider("tcp *").openServerSocketChannel();
                ServerSocketChannel overBoth = provider.openServerSocketChannel()) {
            int refused = Rxe.newPort();
            int port = Rxe.newPort();
            overTcp.bind(new InetSocketAddress(Rxe.IPV4, refused));
            overBoth.bind(new InetSocketAddress(Rxe.IPV4, port));
            assertThat(goesOverRdma(provider, refused)).isFalse();
            assertThat(goesOverRdma(provider, port)).isTrue();
            assertThat(provider).asString().contains("connected 1 over RDMA and 1 over TCP");
        }
    }
}
