// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.OtherNetty;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.transport.RdmaWire;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.support.Seeds;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;

/** A connection whose ends have different versions of Netty: both ends send random bytes at the same time, and compare. */
@Nightly
@RequiresKernel
@SuppressWarnings("FutureReturnValueIgnored") // bytes that are not sent do not arrive, which is noticed
class NettyBothVersionsKernelIT {
    private static final String NETTY_41 = "netty-4.1";
    private static final int MOST_BYTES = 2_000_000;
    private static final int MOST_OF_A_WRITE = 70_000;
    private static final String PORT = "port";

    /** The bytes of an end with this seed. */
    private static byte[] bytes(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[1 + random.nextInt(MOST_BYTES)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A process: the server, or with a port the client. */
    static final class End {
        private End() {}

        public static void main(String[] arguments) throws Exception {
            long seed = Long.parseLong(arguments[0]);
            boolean isServer = arguments.length == 2;
            byte[] own = bytes(isServer ? seed : seed + 1);
            byte[] expected = bytes(isServer ? seed + 1 : seed);
            Recorder recorder = new Recorder();
            Ends ends = new Ends(1);
            Channel channel;
            if (isServer) {
                Channel listening = Ends.bound(ends.server(() -> recorder));
                System.out.println(PORT + " " + ((InetSocketAddress) listening.localAddress()).getPort());
                channel = ends.accepted();
            } else {
                InetSocketAddress server = new InetSocketAddress(Rxe.IPV4, Integer.parseInt(arguments[2]));
                channel = Ends.connected(ends.client(recorder, RdmaWire.valueOf(arguments[1])), server);
            }
            Random pieces = new Random(seed);
            for (int at = 0; at < own.length; ) {
                int length = Math.min(own.length - at, 1 + pieces.nextInt(MOST_OF_A_WRITE));
                channel.writeAndFlush(Unpooled.wrappedBuffer(own, at, length));
                at += length;
            }
            boolean equal = Arrays.equals(recorder.bytes(expected.length), expected);
            System.out.println("equal: " + equal + ", with handlers: " + Loops.haveHandlers());
            // The other end may still read. It ends at a line, or when this process's parent does.
            System.in.read();
            System.exit(0);
        }
    }

    private static List<String> end(boolean old, Object... arguments) {
        String[] texts = List.of(arguments).stream().map(Object::toString).toArray(String[]::new);
        return old ? OtherNetty.java(NETTY_41, End.class, texts) : Program.java(End.class, texts);
    }

    private static void exchange(long seed, RdmaWire wire, boolean oldServer) throws Exception {
        try (Program server = Program.start(end(oldServer, seed, wire))) {
            int port = server.awaitNumber(PORT);
            try (Program client = Program.start(end(!oldServer, seed, wire, port))) {
                client.awaitOutput("equal: true, with handlers: " + oldServer);
                server.awaitOutput("equal: true, with handlers: " + !oldServer);
            }
        }
    }

    /** The seed says which version is the server, and the wire. */
    @ParameterizedTest
    @Seeds
    void bothWaysOverEitherWire(long seed) throws Exception {
        Random random = new Random(seed);
        exchange(seed, random.nextBoolean() ? RdmaWire.NATIVE : RdmaWire.RSOCKET, random.nextBoolean());
    }
}
