// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.Daemon;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An Ethernet between guests: each frame that one sends goes to all others, as with a hub. QEMU connects to its socket
 * ({@code -netdev stream}) and puts the length before each frame, four bytes in network order.
 */
public final class VirtualEthernet implements AutoCloseable {
    private static final int LONGEST_FRAME = 1 << 17;

    private final ServerSocketChannel server;
    private final @Nullable PcapFile capture;
    private final ReentrantLock captureLock = new ReentrantLock();
    private final List<Port> ports = new CopyOnWriteArrayList<>();
    private volatile @Nullable IOException captureFailure;

    private VirtualEthernet(ServerSocketChannel server, @Nullable PcapFile capture) {
        this.server = server;
        this.capture = capture;
    }

    /** Listens on the socket; frames are also written to the capture, which {@link #close} closes, if there is one. */
    public static VirtualEthernet open(Path socket, @Nullable PcapFile capture) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        VirtualEthernet ethernet = new VirtualEthernet(server, capture);
        Daemon.start("ethernet", ethernet::accept);
        return ethernet;
    }

    /** How many guests are connected. */
    int guests() {
        return ports.size();
    }

    private void accept() {
        try {
            while (true) {
                Port port = new Port(server.accept());
                ports.add(port);
                Daemon.start("ethernet-port", () -> carry(port));
            }
        } catch (IOException e) {
            // Closed: no guest is to come any more.
        }
    }

    private void carry(Port from) {
        byte[] frame = new byte[LONGEST_FRAME];
        try (SocketChannel channel = from.channel) {
            DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
            while (true) {
                int length = in.readInt();
                if (length < 0 || length > frame.length) {
                    throw new EOFException("a frame of " + length + " bytes");
                }
                in.readFully(frame, 0, length);
                record(frame, length);
                for (Port to : ports) {
                    if (to != from) {
                        to.send(frame, length);
                    }
                }
            }
        } catch (IOException e) {
            // The guest has ended.
        } finally {
            ports.remove(from);
        }
    }

    private void record(byte[] frame, int length) {
        captureLock.lock();
        try {
            if (capture != null && captureFailure == null) {
                capture.write(frame, length);
            }
        } catch (IOException e) {
            captureFailure = e;
        } finally {
            captureLock.unlock();
        }
    }

    /** Ends the network; a capture that could not be written whole is an error. */
    @Override
    public void close() throws IOException {
        server.close();
        for (Port port : ports) {
            port.channel.close();
        }
        captureLock.lock();
        try {
            if (capture != null) {
                capture.close();
            }
        } finally {
            captureLock.unlock();
        }
        IOException failure = captureFailure;
        if (failure != null) {
            throw new IOException("the capture of the network is incomplete: " + failure.getMessage(), failure);
        }
    }

    private static final class Port {
        final SocketChannel channel;
        private final ReentrantLock lock = new ReentrantLock();

        Port(SocketChannel channel) {
            this.channel = channel;
        }

        /** Waits until the guest takes frames. The hub loses no frames; only faults that a user injects lose frames. */
        void send(byte[] frame, int length) {
            ByteBuffer[] message = {
                ByteBuffer.allocate(Integer.BYTES).putInt(length).flip(), ByteBuffer.wrap(frame, 0, length)
            };
            lock.lock();
            try {
                while (message[1].hasRemaining()) {
                    channel.write(message);
                }
            } catch (IOException e) {
                // The guest has ended; its reader notices too.
            } finally {
                lock.unlock();
            }
        }
    }
}
