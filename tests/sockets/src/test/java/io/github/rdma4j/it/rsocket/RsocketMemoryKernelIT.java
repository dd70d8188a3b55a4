// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What streams with the default options take, of which a process has both ends. */
@RequiresKernel
class RsocketMemoryKernelIT {
    /** What an idle end may take of the memory of a process, in KiB; the aim is 160. */
    private static final int MOST_RESIDENT = 160;

    /** What an idle end takes of the memory that a process may lock, in KiB. */
    private static final int LOCKED = 16;

    /** What most distributions let a process lock. */
    private static final int USUAL_LIMIT = 8 << 20;

    /** Connections under that limit. */
    private static final int MANY = 100;

    /** Streams in a process of its own. */
    static final class Streams {
        private static final int FIRST = 10;
        private static final int LONG = 40_000;

        private final List<RsocketChannel> clients = new ArrayList<>();
        private final List<RsocketChannel> servers = new ArrayList<>();
        private final RsocketListener listener;

        private Streams() throws Exception {
            listener = RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0), 1, RsocketOptions.DEFAULT);
        }

        /** Makes connections, and says what an end takes; with {@code talk} each then carries more than its first buffers. */
        public static void main(String[] arguments) throws Exception {
            Streams streams = new Streams();
            streams.connect(FIRST);
            long resident = kib("VmRSS:");
            long pinned = kib("VmPin:");
            int connections = Integer.parseInt(arguments[0]);
            streams.connect(connections);
            System.out.println("resident " + (kib("VmRSS:") - resident) / (2L * connections) + ".");
            System.out.println("locked " + (kib("VmPin:") - pinned) / (2L * connections) + ".");
            if (arguments.length > 1) {
                streams.talk();
                System.out.println("locked in all " + kib("VmPin:") + ".");
            }
            System.exit(0);
        }

        private void connect(int count) throws Exception {
            for (int i = 0; i < count; i++) {
                clients.add(RsocketChannel.connect(listener.localAddress()));
                servers.add(listener.accept());
            }
        }

        /** All connections at a time, so that there is not memory for all. */
        private void talk() throws Exception {
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < clients.size(); i++) {
                writers.add(writer(clients.get(i), i));
                writers.add(writer(servers.get(i), -i));
            }
            for (int i = 0; i < clients.size(); i++) {
                check(servers.get(i), i);
                check(clients.get(i), -i);
            }
            for (Thread writer : writers) {
                writer.join();
            }
        }

        private static Thread writer(RsocketChannel channel, int salt) {
            Thread made = new Thread(() -> {
                try {
                    ByteBuffer bytes = bytes(salt);
                    while (bytes.hasRemaining()) {
                        channel.write(bytes);
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            made.start();
            return made;
        }

        private static ByteBuffer bytes(int salt) {
            ByteBuffer bytes = ByteBuffer.allocate(LONG);
            for (int i = 0; i < LONG; i++) {
                bytes.put(i, (byte) (salt * 31 + i + (i >> 8)));
            }
            return bytes;
        }

        private static void check(RsocketChannel channel, int salt) throws IOException {
            ByteBuffer read = ByteBuffer.allocate(LONG);
            while (read.hasRemaining()) {
                assertThat(channel.read(read)).isPositive();
            }
            assertThat(read.flip()).isEqualTo(bytes(salt));
        }

        private static long kib(String key) throws IOException {
            System.gc();
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith(key))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Nightly
    @Test
    void aThousandIdleConnectionsTakeLittle() throws Exception {
        try (Program program = Program.start(Program.java(Streams.class, "1000"))) {
            String said = program.success();
            assertThat(program.awaitNumber("locked")).isEqualTo(LOCKED);
            assertThat(program.awaitNumber("resident")).as(said).isLessThanOrEqualTo(MOST_RESIDENT);
        }
    }

    @Nightly
    @Test
    void aHundredConnectionsFitUnderTheUsualLimitAndGoOnWhenTheyCannotGrow() throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "prlimit",
                "--memlock=" + USUAL_LIMIT + ":" + USUAL_LIMIT,
                "setpriv",
                "--bounding-set=-all",
                "--inh-caps=-all"));
        command.addAll(Program.java(Streams.class, Integer.toString(MANY), "talk"));
        try (Program program = Program.start(command)) {
            String unused = program.success();
            assertThat(program.awaitNumber("locked")).isEqualTo(LOCKED);
            // Send buffers may have been given back by now, and receive buffers stay.
            assertThat(program.awaitNumber("locked in all")).isBetween(2 * LOCKED * MANY + 1024, USUAL_LIMIT / 1024);
        }
    }
}
