// SPDX-License-Identifier: Apache-2.0

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Resolves a name with Netty's resolver, on Netty's NIO transport, at a name server of its own. Runs on Netty 4.1 and 4.2. */
public final class NettyResolve {
    private NettyResolve() {}

    @SuppressWarnings("deprecation") // Netty 4.1 has nothing else
    public static void main(String[] arguments) throws Exception {
        EventLoopGroup group = new NioEventLoopGroup(1);
        try (DatagramSocket server = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> answer(server));
            thread.setDaemon(true);
            thread.start();
            try (DnsNameResolver resolver = new DnsNameResolverBuilder(group.next())
                    .channelType(NioDatagramChannel.class)
                    .nameServerProvider(
                            new SingletonDnsServerAddressStreamProvider((InetSocketAddress) server.getLocalSocketAddress()))
                    .build()) {
                InetAddress address = resolver.resolve("some.example").get();
                if (!address.getHostAddress().equals("10.77.0.1")) {
                    throw new AssertionError(address);
                }
                System.out.println("some.example is " + address.getHostAddress() + ", selector of "
                        + java.nio.channels.spi.SelectorProvider.provider().getClass().getName());
            }
        } finally {
            group.shutdownGracefully().sync();
        }
    }

    /** Answers every question with 10.77.0.1, whatever its type. */
    private static void answer(DatagramSocket server) {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[512], 512);
                server.receive(packet);
                int end = 12;
                while (packet.getData()[end] != 0) {
                    end += packet.getData()[end] + 1;
                }
                end += 5;
                ByteBuffer reply = ByteBuffer.allocate(600).put(packet.getData(), 0, end);
                reply.putShort(2, (short) 0x8180).putShort(6, (short) 1).putShort(8, (short) 0).putShort(10, (short) 0);
                reply.putShort((short) 0xc00c).putShort((short) 1).putShort((short) 1).putInt(60).putShort((short) 4);
                reply.put(new byte[] {10, 77, 0, 1});
                server.send(new DatagramPacket(reply.array(), reply.position(), packet.getSocketAddress()));
            }
        } catch (IOException e) {
            // The server is closed.
        }
    }
}
