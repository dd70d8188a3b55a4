// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that end behind their last write: over RDMA their peer reads what it reads over TCP. */
@RequiresKernel
class NioExitKernelIT {
    private static final int BYTES = 100_000;
    private static final int HOOKS = 8;

    /** How a program ends. */
    enum Way {
        /** The channel is closed before. */
        CLOSED,

        /** Nobody has closed the channel. */
        OPEN,

        /** So, and by {@link System#exit}, while another thread lives on. */
        EXIT,

        /** The same after the main thread has ended, as a server ends. */
        EXIT_LATER,

        /** Shutdown hooks write the second half. The JDK starts them one by one, in no order, and these take their time to start. */
        HOOKS
    }

    /** Gives time to whoever believes that all hooks run, before the last is started. */
    private static final class LateHook extends Thread {
        LateHook(Runnable action) {
            super(action);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // it only waits before
        public void start() {
            LockSupport.parkNanos(100_000_000);
            super.start();
        }
    }

    /** The program. */
    static final class Client {
        private Client() {}

        public static void main(String[] arguments) throws IOException {
            Way way = Way.valueOf(arguments[0]);
            List<SocketChannel> channels = List.of(
                    connected(SelectorProvider.provider(), arguments[1]), connected(OverRdma.PROVIDER, arguments[2]));
            write(channels, BYTES / 2);
            switch (way) {
                case HOOKS -> {
                    mixOrder();
                    for (int i = 0; i < HOOKS; i++) {
                        Runtime.getRuntime().addShutdownHook(new LateHook(() -> writeSlowly(channels)));
                    }
                }
                case CLOSED -> {
                    write(channels, BYTES / 2);
                    for (SocketChannel channel : channels) {
                        channel.close();
                    }
                }
                default -> write(channels, BYTES / 2);
            }
            if (way == Way.EXIT) {
                new Thread(LockSupport::park).start();
                System.exit(0);
            } else if (way == Way.EXIT_LATER) {
                new Thread(LockSupport::park).start();
                new Thread(Client::exitAfterMain).start();
            }
        }

        private static SocketChannel connected(SelectorProvider provider, String port) throws IOException {
            SocketChannel channel = provider.openSocketChannel();
            channel.connect(new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port)));
            return channel;
        }

        private static void write(List<SocketChannel> channels, int bytes) throws IOException {
            for (SocketChannel channel : channels) {
                channel.write(ByteBuffer.allocate(bytes));
            }
        }

        private static void exitAfterMain() {
            Await.until(
                    "the main thread has ended",
                    () -> Thread.getAllStackTraces().keySet().stream()
                            .anyMatch(thread -> thread.getName().equals("DestroyJavaVM")));
            System.exit(0);
        }

        /** The order of hooks is the order of their identity hashes, which a thread draws in the same order in each run. */
        private static void mixOrder() {
            int draws = new Random().nextInt(1000);
            for (int i = 0; i < draws; i++) {
                int unused = System.identityHashCode(new Object());
            }
        }

        private static void writeSlowly(List<SocketChannel> channels) {
            try {
                for (int i = 0; i < BYTES / 2 / HOOKS / 250; i++) {
                    write(channels, 250);
                    LockSupport.parkNanos(1_000_000);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static String read(SocketChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(2 * BYTES);
        String end = "-1";
        try {
            while (channel.read(bytes) >= 0) {
                assertThat(bytes.hasRemaining()).isTrue();
            }
        } catch (IOException e) {
            end = e.getMessage();
        }
        return bytes.position() + " bytes, then " + end;
    }

    private static ServerSocketChannel listener(SelectorProvider provider) throws IOException {
        return provider.openServerSocketChannel().bind(new InetSocketAddress(Rxe.IPV4, 0));
    }

    private static String port(ServerSocketChannel listener) throws IOException {
        return Integer.toString(((InetSocketAddress) listener.getLocalAddress()).getPort());
    }

    /** Both at the same time: the program holds one connection of each kind. */
    @ParameterizedTest
    @EnumSource(names = {"EXIT_LATER", "HOOKS"})
    void thePeerReadsWhatItReadsOverTcp(Way ends) throws Exception {
        try (ServerSocketChannel overTcp = listener(SelectorProvider.provider());
                ServerSocketChannel overRdma = listener(OverRdma.PROVIDER);
                Program client =
                        Program.start(Program.java(Client.class, ends.toString(), port(overTcp), port(overRdma)));
                SocketChannel tcp = overTcp.accept();
                SocketChannel rdma = overRdma.accept()) {
            Await.Running<String> readOverTcp = Await.inThread(() -> read(tcp));
            assertThat(read(rdma)).isEqualTo(readOverTcp.result()).isEqualTo(BYTES + " bytes, then -1");
            client.success();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CLOSED", "OPEN", "EXIT"})
    @Nightly
    void thePeerReadsWhatItReadsOverTcpAtNight(Way ends) throws Exception {
        thePeerReadsWhatItReadsOverTcp(ends);
    }
}
