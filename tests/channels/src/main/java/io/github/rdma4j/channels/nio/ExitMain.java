// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels.nio;

import io.github.rdma4j.channels.Numbered;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** The JVM of an {@link ExitProgram}. */
final class ExitMain {
    private static final int FIRST = 4;
    private static final int BUFFER = 1 << 20;
    private static final int LINGER_SECONDS = 4;
    private static final long A_WHILE = 1500;

    private ExitMain() {}

    public static void main(String[] arguments) throws Exception {
        InetAddress host = InetAddress.getByName(arguments[1]);
        Transport transport = Transport.of(arguments[0], host);
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = FIRST; i < arguments.length; i++) {
            SocketChannel channel = transport.provider().openSocketChannel();
            channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER);
            channel.connect(new InetSocketAddress(host, Integer.parseInt(arguments[2])));
            transport.check(channel);
            channels.add(channel);
        }
        for (int i = 0; i < channels.size(); i++) {
            use(channels.get(i), i, ExitProgram.Connection.of(arguments[FIRST + i]));
        }
        if (arguments[FIRST - 1].equals("exit")) {
            System.exit(0);
        }
    }

    private static void use(SocketChannel channel, int number, ExitProgram.Connection connection) throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(connection.bytes());
        new Numbered(number).fill(bytes, 0);
        bytes.flip();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        switch (connection.last()) {
            case OPEN -> {}
            case CLOSED -> channel.close();
            case CLOSED_BY_INTERRUPTED -> {
                channel.setOption(StandardSocketOptions.SO_LINGER, LINGER_SECONDS);
                Thread.currentThread().interrupt();
                channel.close();
                boolean unused = Thread.interrupted();
                Thread.sleep(A_WHILE);
            }
        }
    }
}
