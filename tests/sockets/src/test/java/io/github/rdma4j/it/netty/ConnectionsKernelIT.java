// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.Main;
import io.github.rdma4j.it.nio.OverRdma;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.nio.RdmaSelectorProvider;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean.Connection;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Closing;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.support.Seeds;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** What JMX and the doctor tell of connections is what the program has done with them. */
@RequiresKernel
class ConnectionsKernelIT extends Closing {
    private static final int MOST_BYTES = 30_000;
    private static final int FLOOD = 4 << 20;
    private static final int PIECE = 8192;
    private static final int VAIN_WRITES = 10;

    private int there;
    private int back;
    private long sent;
    private long received;

    /** The bean, which is registered soon after the first connection or listener was made. */
    private static ConnectionsMXBean bean() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName(ConnectionsMXBean.OBJECT_NAME);
        Await.until("registered", () -> server.isRegistered(name));
        return JMX.newMXBeanProxy(server, name, ConnectionsMXBean.class);
    }

    private static String text(SocketAddress address) {
        InetSocketAddress internet = (InetSocketAddress) address;
        return internet.getAddress().getHostAddress() + ":" + internet.getPort();
    }

    private static List<Connection> from(ConnectionsMXBean bean, SocketAddress local) {
        return bean.getConnections().stream()
                .filter(each -> each.getLocal().equals(text(local)))
                .toList();
    }

    /** The connection with this local address. */
    private static Connection of(ConnectionsMXBean bean, SocketAddress local) {
        List<Connection> found = from(bean, local);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    /** Bytes go from one channel to the other, and all of them arrive. */
    private void send(ByteChannel from, ByteChannel into, int bytes) throws Exception {
        Await.Running<Integer> writing = Await.inThread(() -> from.write(ByteBuffer.allocate(bytes)));
        ByteBuffer target = ByteBuffer.allocate(bytes);
        while (target.hasRemaining()) {
            assertThat(into.read(target)).isPositive();
        }
        assertThat(writing.result()).isEqualTo(bytes);
        sent += bytes;
        received += bytes;
    }

    private static void assertCarried(Connection connection, int read, int written) {
        assertThat(connection.getBytesRead()).isEqualTo(read);
        assertThat(connection.getBytesWritten()).isEqualTo(written);
        assertThat(connection.getState()).isEqualTo("open");
    }

    private static void assertOverRdma(Connection connection, String wire) {
        assertThat(connection.getTransport()).isEqualTo("RDMA");
        assertThat(connection.getWire()).isEqualTo(wire);
        assertThat(connection.getDevice()).isEqualTo(Rxe.DEVICE);
        assertThat(connection.getReason()).isEmpty();
        assertThat(connection.getDetails()).contains("sends");
    }

    @Nightly
    @ParameterizedTest
    @Seeds
    void connectionsAreToldWithTheirBytesUntilTheyAreClosed(long seed) throws Exception {
        Random random = new Random(seed);
        there = 1 + random.nextInt(MOST_BYTES);
        back = 1 + random.nextInt(MOST_BYTES);
        RsocketListener listener = closing(RsocketListener.listen(Rxe.newAddress()));
        RsocketChannel stream = closing(RsocketChannel.connect(listener.localAddress()));
        ConnectionsMXBean bean = bean();
        final long readBefore = bean.getBytesRead();
        final long writtenBefore = bean.getBytesWritten();
        RsocketChannel accepted = closing(listener.accept());
        send(stream, accepted, there);
        send(accepted, stream, back);
        assertOverRdma(of(bean, stream.localAddress()), "rsocket");
        assertCarried(of(bean, stream.localAddress()), back, there);
        SocketChannel channel = channelOverRdma(bean);
        SocketChannel fallen = channelOverTcp(bean);
        Channel netty = channelOfNetty(bean);
        // The echo may arrive a moment before its writer counts it.
        Await.until("all counted", () -> bean.getBytesWritten() - writtenBefore >= sent);
        assertThat(bean.getBytesRead() - readBefore).isEqualTo(received);
        assertThat(bean.getBytesWritten() - writtenBefore).isEqualTo(sent);
        assertDoctorTells(bean, of(bean, fallen.getLocalAddress()));

        final long closedBefore = bean.getClosedOverTcp();
        List<SocketAddress> locals = List.of(
                stream.localAddress(), channel.getLocalAddress(), fallen.getLocalAddress(), netty.localAddress());
        stream.close();
        channel.close();
        fallen.close();
        netty.close().sync();
        Await.until(
                "all are gone",
                () -> locals.stream().allMatch(local -> from(bean, local).isEmpty()));
        assertThat(bean.getClosedOverTcp()).isEqualTo(closedBefore + 1);
        assertThat(bean.getBytesWritten() - writtenBefore).isEqualTo(sent);
    }

    private SocketChannel channelOverRdma(ConnectionsMXBean bean) throws Exception {
        ServerSocketChannel server = closing(OverRdma.PROVIDER.openServerSocketChannel());
        server.bind(new InetSocketAddress(Rxe.IPV4, 0));
        SocketChannel channel = closing(OverRdma.PROVIDER.openSocketChannel());
        channel.connect(server.getLocalAddress());
        send(channel, closing(server.accept()), there);
        assertOverRdma(of(bean, channel.getLocalAddress()), "rsocket");
        assertCarried(of(bean, channel.getLocalAddress()), 0, there);
        return channel;
    }

    /** Nobody listens there over RDMA. */
    private SocketChannel channelOverTcp(ConnectionsMXBean bean) throws Exception {
        final long overTcpBefore = bean.getOpenedOverTcp();
        final long refusedBefore = bean.getTcpReasons().getOrDefault("refused over RDMA", 0L);
        ServerSocketChannel plain = closing(ServerSocketChannel.open());
        plain.bind(new InetSocketAddress(Rxe.IPV4, 0));
        SocketChannel fallen = closing(new RdmaSelectorProvider().openSocketChannel());
        fallen.connect(plain.getLocalAddress());
        SocketChannel accepted = closing(plain.accept());
        send(fallen, accepted, there);
        received -= there; // by a channel of the JDK
        send(accepted, fallen, back);
        sent -= back;
        Connection overTcp = of(bean, fallen.getLocalAddress());
        assertCarried(overTcp, back, there);
        assertThat(overTcp.getTransport()).isEqualTo("TCP");
        assertThat(overTcp.getPeer()).isEqualTo(text(plain.getLocalAddress()));
        assertThat(overTcp.getReason()).startsWith("refused over RDMA: ");
        assertThat(bean.getOpenedOverTcp()).isEqualTo(overTcpBefore + 1);
        assertThat(bean.getTcpReasons()).containsEntry("refused over RDMA", refusedBefore + 1);
        return fallen;
    }

    private Channel channelOfNetty(ConnectionsMXBean bean) throws Exception {
        Ends ends = closing(new Ends());
        Recorder recorder = new Recorder();
        Channel server = Ends.bound(ends.server(Echo::new));
        Channel channel = Ends.connected(ends.client(recorder, RdmaWire.NATIVE), server);
        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[there])).sync();
        assertThat(recorder.bytes(there)).hasSize(there);
        sent += 2L * there; // the echo too
        received += 2L * there;
        assertOverRdma(of(bean, channel.localAddress()), "native");
        assertCarried(of(bean, channel.localAddress()), there, there);
        return channel;
    }

    private static void assertDoctorTells(ConnectionsMXBean bean, Connection overTcp) throws InterruptedException {
        String table = doctor(Long.toString(ProcessHandle.current().pid()));
        assertThat(table)
                .contains("over TCP: " + overTcp.getReason(), "total bytes_written: " + bean.getBytesWritten());
        for (Connection each : bean.getConnections()) {
            assertThat(table.lines()
                            .filter(line -> line.startsWith(each.getTransport())
                                    && line.contains(" " + each.getLocal() + " ")
                                    && line.contains(" " + each.getPeer() + " ")
                                    && line.contains(" " + each.getBytesWritten() + " ")))
                    .as(table)
                    .isNotEmpty();
        }
        String port = overTcp.getPeer().substring(overTcp.getPeer().indexOf(':') + 1);
        assertThat(doctor(port).lines().filter(line -> line.contains("10.77.0.1:")))
                .singleElement()
                .asString()
                .startsWith("TCP")
                .contains(overTcp.getPeer());
    }

    private static String doctor(String number) throws InterruptedException {
        return Program.run(
                Program.java(Main.class, "doctor", "--connections", number).toArray(String[]::new));
    }

    /** The listeners at an address: transport, backlog, accepted connections and reason. */
    private static List<String> listeners(ConnectionsMXBean bean, SocketAddress local) {
        return bean.getListeners().stream()
                .filter(each -> each.getLocal().equals(text(local)))
                .map(each -> "%s %d %d %s"
                        .formatted(each.getTransport(), each.getBacklog(), each.getAccepted(), each.getReason()))
                .toList();
    }

    @Test
    void listenersAreToldWithWhatTheyHaveAccepted() throws Exception {
        RsocketListener streams = closing(RsocketListener.listen(Rxe.newAddress()));
        ServerSocketChannel both = closing(new RdmaSelectorProvider().openServerSocketChannel());
        both.bind(new InetSocketAddress(Rxe.IPV4, 0), 7);
        Channel netty = Ends.bound(closing(new Ends()).server(Echo::new));
        SocketAddress address = both.getLocalAddress();
        ConnectionsMXBean bean = bean();
        assertThat(listeners(bean, address)).containsExactly("RDMA 7 0 ", "TCP 7 0 beside RDMA");
        String onlyListens = doctor(text(address).replaceFirst(".*:", ""));
        assertThat(onlyListens).containsPattern("RDMA +" + text(address) + " +7 +0 +-\n");
        assertThat(onlyListens).containsPattern("TCP +" + text(address) + " +7 +0 +beside RDMA\n");

        closing(RsocketChannel.connect(streams.localAddress()));
        closing(streams.accept());
        closing(SocketChannel.open(address));
        closing(both.accept());
        SocketChannel client = closing(OverRdma.PROVIDER.openSocketChannel());
        client.connect(address);
        closing(both.accept());
        assertThat(listeners(bean, streams.localAddress())).containsExactly("RDMA 128 1 ");
        assertThat(listeners(bean, netty.localAddress())).containsExactly("RDMA 128 0 ");
        assertThat(listeners(bean, address)).containsExactly("RDMA 7 1 ", "TCP 7 1 beside RDMA");

        both.close();
        assertThat(listeners(bean, address)).isEmpty();
        SocketAddress closed = streams.localAddress();
        streams.close();
        assertThat(listeners(bean, closed)).isEmpty();
    }

    private static int write(RsocketChannel stream, int bytes) {
        try {
            return stream.write(ByteBuffer.allocate(bytes));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Writes until the peer has no room; returns the number of bytes. Before, the device may be slower than the writer. */
    private static int fill(RsocketChannel stream, ConnectionsMXBean bean) throws IOException {
        SocketAddress local = stream.localAddress();
        long before = of(bean, local).getCreditStalls();
        AtomicInteger taken = new AtomicInteger();
        Await.until("a stall", () -> {
            taken.addAndGet(write(stream, PIECE));
            return of(bean, local).getCreditStalls() > before;
        });
        return taken.get();
    }

    @Test
    void aWriteThatWaitsForTheReaderIsAStall() throws Exception {
        RsocketListener listener = closing(RsocketListener.listen(Rxe.newAddress()));
        RsocketChannel stream = closing(RsocketChannel.connect(listener.localAddress()));
        RsocketChannel accepted = closing(listener.accept());
        ConnectionsMXBean bean = bean();
        stream.configureBlocking(false);
        final long before = bean.getCreditStalls();
        int taken = write(stream, 1);
        assertThat(bean.getCreditStalls()).isEqualTo(before);
        taken += fill(stream, bean);
        long stalls = of(bean, stream.localAddress()).getCreditStalls();
        for (int vain = 0; vain < VAIN_WRITES; vain++) {
            int more = write(stream, PIECE);
            taken += more;
            if (more > 0) {
                // The peer grew its buffer.
                vain = 0;
                stalls = of(bean, stream.localAddress()).getCreditStalls();
            }
        }
        assertThat(of(bean, stream.localAddress()).getCreditStalls()).isEqualTo(stalls);
        assertThat(bean.getCreditStalls() - before).isEqualTo(stalls);
        ByteBuffer target = ByteBuffer.allocate(taken);
        while (target.hasRemaining()) {
            accepted.read(target);
        }
        assertThat(fill(stream, bean)).isPositive();
    }

    @Test
    void soIsAFlushOfNettyThatWaitsForTheReader() throws Exception {
        Ends ends = closing(new Ends());
        Recorder recorder = new Recorder();
        Channel server = Ends.bound(ends.server(() -> recorder).childOption(ChannelOption.AUTO_READ, false));
        Channel client = Ends.connected(ends.client(new Recorder(), RdmaWire.NATIVE), server);
        Channel accepted = ends.accepted();
        ConnectionsMXBean bean = bean();
        ChannelFuture unused = client.writeAndFlush(Unpooled.wrappedBuffer(new byte[FLOOD]));
        Await.until("a stall", () -> of(bean, client.localAddress()).getCreditStalls() > 0);
        accepted.config().setAutoRead(true);
        assertThat(recorder.bytes(FLOOD)).hasSize(FLOOD);
        assertThat(of(bean, client.localAddress()).getBytesWritten()).isEqualTo(FLOOD);
        assertThat(of(bean, accepted.localAddress()).getBytesRead()).isEqualTo(FLOOD);
    }
}
