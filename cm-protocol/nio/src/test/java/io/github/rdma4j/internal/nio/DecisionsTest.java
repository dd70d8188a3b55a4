// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.rsocket.connections.Connections;
import io.github.rdma4j.internal.rsocket.connections.Member;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which way connections go is recorded and counted. */
class DecisionsTest {
    private static final String EVENT = "io.github.rdma4j.ChannelRoute";

    @TempDir
    private Path folder;

    @Test
    void connectsAndAcceptsAreRecordedWithTheirReasonAndCounted() throws Exception {
        SelectorProvider provider = new StreamProvider(Rules.parse("a test"), null);
        List<RecordedEvent> events =
                recorded(() -> Pair.open(provider, Pair.loopback()).close());
        assertThat(events)
                .extracting(event -> event.getString("side"))
                .containsExactlyInAnyOrder("listen", "connect", "accept");
        assertThat(events).allMatch(event -> event.getString("transport").equals("TCP"));
        assertThat(events).extracting(event -> event.getString("reason")).contains("a loopback address");
        assertThat(events).allMatch(event -> event.getString("peer").startsWith("127.0.0.1:"));
        assertThat(provider)
                .asString()
                .endsWith("connected 0 over RDMA and 1 over TCP, accepted 0 over RDMA and 1 over TCP");
    }

    @Test
    void connectionsOverTcpAreToldWithTheirBytesUntilTheyAreClosed() throws Exception {
        SelectorProvider provider = new StreamProvider(Rules.parse("a test"), null);
        try (Pair pair = Pair.open(provider, Pair.loopback())) {
            pair.client().write(new ByteBuffer[] {Pair.bytes("12"), Pair.bytes("345")});
            assertThat(Pair.read(pair.server(), 5)).isEqualTo("12345");
            pair.server().write(Pair.bytes("6789"));
            ByteBuffer direct = ByteBuffer.allocateDirect(4);
            while (direct.hasRemaining()) {
                pair.client().read(direct);
            }
            SocketAddress client = pair.client().getLocalAddress();
            SocketAddress server = pair.server().getLocalAddress();
            assertThat(between(client, server)).containsExactly("TCP, a loopback address, 4 read, 5 written");
            assertThat(between(server, client)).containsExactly("TCP, a loopback address, 5 read, 4 written");
            pair.client().close();
            assertThat(between(client, server)).isEmpty();
            pair.server().close();
            assertThat(between(server, client)).isEmpty();
        }
    }

    private static List<String> between(SocketAddress local, SocketAddress peer) {
        return Connections.OF_PROCESS.getConnections().stream()
                .filter(each -> isOf(each.getLocal(), local) && isOf(each.getPeer(), peer))
                .map(each -> String.join(
                        ", ",
                        each.getTransport(),
                        each.getReason(),
                        each.getBytesRead() + " read",
                        each.getBytesWritten() + " written"))
                .toList();
    }

    private static boolean isOf(String told, SocketAddress address) {
        return told.equals(Member.text((InetSocketAddress) address));
    }

    private interface Action {
        void run() throws Exception;
    }

    private List<RecordedEvent> recorded(Action action) throws Exception {
        Path file = folder.resolve("test.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(EVENT).withoutThreshold();
            recording.start();
            action.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(EVENT))
                .toList();
    }

    /** No device of any machine has the address that stands for loopback here. */
    @Test
    void aListenerThatGetsItsPortOverTcpOnlyIsToldOfOnceAndRecorded() throws Exception {
        Rules rules = new Rules(List.of(), true, InetAddress.getByName("192.0.2.1"), Duration.ofSeconds(5));
        Routes routes = new Routes(rules, folder); // a file that exists
        ToldOfNio told = new ToldOfNio();
        List<RecordedEvent> events;
        try (told) {
            events = recorded(() -> {
                for (int i = 0; i < 2; i++) {
                    RoutedAcceptor acceptor = new RoutedAcceptor(TcpAcceptor.open(SocketFamily.INET), routes);
                    acceptor.listen(new InetSocketAddress(Pair.loopback(), 0), 1);
                    acceptor.close();
                }
            });
        }
        assertThat(told.lines())
                .hasSize(1)
                .allMatch(line -> line.matches("127\\.0\\.0\\.1:\\d+ listens over TCP only: RDMA has failed: .+; "
                        + "a rule 'rdma' for this address forbids this"));
        assertThat(events)
                .hasSize(2)
                .allMatch(event -> event.getString("side").equals("listen")
                        && event.getString("transport").equals("TCP")
                        && event.getString("reason").startsWith("RDMA has failed: "));
    }
}
