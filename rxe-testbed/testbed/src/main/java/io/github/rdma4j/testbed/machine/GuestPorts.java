// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The host's ends of the guest's virtio-serial ports, one socket each. */
public final class GuestPorts implements AutoCloseable {
    /** In the order of the guest's port numbers, from 1. */
    public static final List<String> NAMES = List.of("control", "stdin", "stdout", "stderr");

    private final List<ServerSocketChannel> servers = new ArrayList<>();
    private final List<SocketChannel> channels = new ArrayList<>();

    /** Listens on a socket per port in a directory, in place of others that listened there. */
    public GuestPorts(Path run) throws IOException {
        try {
            for (String name : NAMES) {
                Files.deleteIfExists(run.resolve(name));
                ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                servers.add(server);
                server.bind(UnixDomainSocketAddress.of(run.resolve(name)));
            }
        } catch (IOException | RuntimeException | Error e) {
            stopListening();
            throw e;
        }
    }

    /** Waits until QEMU has connected; {@link #stopListening} from another thread ends the wait with an exception. */
    public void accept() throws IOException {
        for (ServerSocketChannel server : servers) {
            channels.add(server.accept());
        }
        stopListening();
    }

    public void stopListening() throws IOException {
        for (ServerSocketChannel server : servers) {
            server.close();
        }
    }

    public SocketChannel control() {
        return channels.get(0);
    }

    /** The port of a standard stream, 0 to 2. */
    public SocketChannel stream(int descriptor) {
        return channels.get(descriptor + 1);
    }

    @Override
    public void close() throws IOException {
        stopListening();
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
