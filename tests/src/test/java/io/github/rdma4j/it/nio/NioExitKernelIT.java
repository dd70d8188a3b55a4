// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
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
            SelectorProvider provider = arguments[0].equals("tcp") ? SelectorProvider.provider() : OverRdma.PROVIDER;
            Way way = Way.valueOf(arguments[1]);
            SocketChannel channel = provider.openSocketChannel();
            channel.connect(new InetSocketAddress(Rxe.IPV4, Integer.parseInt(arguments[2])));
            channel.write(ByteBuffer.allocate(BYTES / 2));
            switch (way) {
                case HOOKS -> {
                    mixOrder();
                    for (int i = 0; i < HOOKS; i++) {
                        Runtime.getRuntime().addShutdownHook(new LateHook(() -> writeSlowly(channel)));
                    }
                }
                case CLOSED -> {
                    channel.write(ByteBuffer.allocate(BYTES / 2));
                    channel.close();
                }
                default -> channel.write(ByteBuffer.allocate(BYTES / 2));
            }
            if (way == Way.EXIT) {
                new Thread(LockSupport::park).start();
                System.exit(0);
            } else if (way == Way.EXIT_LATER) {
                new Thread(LockSupport::park).start();
                new Thread(Client::exitAfterMain).start();
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

        private static void writeSlowly(SocketChannel channel) {
            try {
                for (int i = 0; i < BYTES / 2 / HOOKS / 250; i++) {
                    channel.write(ByteBuffer.allocate(250));
                    LockSupport.parkNanos(1_000_000);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static String read(SelectorProvider provider, String way, Way ends) throws Exception {
        try (ServerSocketChannel listener = provider.openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(Rxe.IPV4, 0));
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            try (Program client =
                            Program.start(Program.java(Client.class, way, ends.toString(), Integer.toString(port)));
                    SocketChannel channel = listener.accept()) {
                ByteBuffer bytes = ByteBuffer.allocateDirect(2 * BYTES);
                String end = "-1";
                try {
                    while (channel.read(bytes) >= 0) {
                        assertThat(bytes.hasRemaining()).isTrue();
                    }
                } catch (IOException e) {
                    end = e.getMessage();
                }
                client.success();
                return bytes.position() + " bytes, then " + end;
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void thePeerReadsWhatItReadsOverTcp(Way ends) throws Exception {
        assertThat(read(OverRdma.PROVIDER, "rdma", ends))
                .isEqualTo(read(SelectorProvider.provider(), "tcp", ends))
                .isEqualTo(BYTES + " bytes, then -1");
    }
}
