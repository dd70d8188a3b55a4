// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.transport.RdmaChannelOption;
import io.github.rdma4j.netty.transport.RdmaServerSocketChannel;
import io.github.rdma4j.netty.transport.RdmaSocketChannel;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Nightly;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import io.netty.testsuite.transport.socket.AbstractSocketTest;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Servers and clients for Netty's tests, whose loopback address is the address of the RDMA device. Each class has event loops of its
 * own, whose end closes the channels that a test has left open.
 */
public final class OnDevice implements BeforeAllCallback, AfterAllCallback {
    private static final Deque<EventLoopGroup> GROUPS = new ArrayDeque<>();
    private static List<RdmaWire> wires = List.of();

    @Override
    public void beforeAll(ExtensionContext test) throws NoSuchMethodException {
        // Netty's own class, whose ends are on no device, has no such method.
        Method unused = AbstractSocketTest.class.getDeclaredMethod("newAllocators");
        if (GROUPS.isEmpty()) {
            wires = choose(test.getRequiredTestClass());
        }
        GROUPS.push(Loops.overRdma(4));
    }

    @Override
    public void afterAll(ExtensionContext test) throws InterruptedException {
        GROUPS.pop().shutdownGracefully(0, 30, TimeUnit.SECONDS).sync();
    }

    static EventLoopGroup group() {
        return GROUPS.getFirst();
    }

    /** Where servers listen, at a port that the kernel chooses. */
    public static SocketAddress address() {
        return new InetSocketAddress(Rxe.IPV4, 0);
    }

    /** RDMA does not know the loopback interface. */
    static SocketAddress mapped(SocketAddress address) {
        return address instanceof InetSocketAddress internet
                        && !internet.isUnresolved()
                        && internet.getAddress().isLoopbackAddress()
                ? new InetSocketAddress(Rxe.IPV4, internet.getPort())
                : address;
    }

    static List<BootstrapFactory<ServerBootstrap>> servers() {
        return List.of(() -> new Server().group(group()).channel(RdmaServerSocketChannel.class));
    }

    public static List<BootstrapFactory<Bootstrap>> clients() {
        return List.of(client(RdmaWire.ANY));
    }

    private static BootstrapFactory<Bootstrap> client(RdmaWire wire) {
        return () -> new Client().group(group()).channelFactory(() -> {
            // The tests give options of their own, and may take back those of the bootstrap.
            RdmaSocketChannel channel = new RdmaSocketChannel();
            channel.config().setOption(RdmaChannelOption.WIRE, wire);
            return channel;
        });
    }

    private static List<RdmaWire> choose(Class<?> suite) {
        List<RdmaWire> both = List.of(RdmaWire.NATIVE, RdmaWire.RSOCKET);
        if (suite.isAnnotationPresent(Nightly.class)) {
            return both;
        }
        int one = new Random(NewSeed.of(suite.getSimpleName() + ", the wire")).nextInt(both.size());
        return List.of(both.get(one));
    }

    /** Both ends, on a wire that a seed chooses; a class that runs at night has each wire. */
    public static List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> both() {
        return wires.stream().map(OnDevice::on).toList();
    }

    private static BootstrapComboFactory<ServerBootstrap, Bootstrap> on(RdmaWire wire) {
        return new BootstrapComboFactory<>() {
            @Override
            public ServerBootstrap newServerInstance() {
                return servers().get(0).newInstance();
            }

            @Override
            public Bootstrap newClientInstance() {
                return client(wire).newInstance();
            }
        };
    }

    private static final class Server extends ServerBootstrap {
        @Override
        public ServerBootstrap localAddress(SocketAddress address) {
            return super.localAddress(mapped(address));
        }

        @Override
        public ChannelFuture bind(SocketAddress address) {
            return super.bind(mapped(address));
        }
    }

    private static final class Client extends Bootstrap {
        @Override
        public ChannelFuture bind(SocketAddress address) {
            return super.bind(mapped(address));
        }

        @Override
        public ChannelFuture connect(SocketAddress remote) {
            return super.connect(mapped(remote));
        }

        @Override
        public ChannelFuture connect(SocketAddress remote, SocketAddress local) {
            return super.connect(mapped(remote), mapped(local));
        }
    }
}
