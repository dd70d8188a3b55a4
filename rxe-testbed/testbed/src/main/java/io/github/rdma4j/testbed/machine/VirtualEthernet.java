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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * An Ethernet between guests: each frame goes to all other guests, as with a hub. QEMU connects to its socket ({@code
 * -netdev stream}) and puts the length before each frame, four bytes in network order.
 */
public final class VirtualEthernet implements AutoCloseable {
    private static final int LONGEST_FRAME = 1 << 17;
    private static final int SOURCE_OFFSET = 6;
    private static final int MAC_BYTES = 6;

    /** Sees every frame of the guests, in the order of the hub. Must not wait. */
    public interface Tap {
        void frame(byte[] frame, int length);
    }

    /** Takes frames of {@linkplain NodeLink#station stations} in place of the hub, as a switch does. */
    public interface Switching {
        /** Takes a frame of a station; returns false if the frame is for the hub. */
        boolean frame(int station, byte[] frame, int length);

        /** The guest of a station has ended. */
        void gone(int station);
    }

    private final ServerSocketChannel server;
    private final List<ServerSocketChannel> meetings = new CopyOnWriteArrayList<>();
    private final @Nullable PcapFile capture;
    private final List<Port> ports = new CopyOnWriteArrayList<>();
    private final List<Tap> taps = new CopyOnWriteArrayList<>();
    private final Faults faults = new Faults();
    private volatile @Nullable Switching switching;
    private @Nullable IOException captureFailure;

    private VirtualEthernet(ServerSocketChannel server, @Nullable PcapFile capture) {
        this.server = server;
        this.capture = capture;
    }

    /** Listens on the socket; frames are also written to the capture, which {@link #close} closes, if there is one. */
    public static VirtualEthernet open(Path socket, @Nullable PcapFile capture) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        VirtualEthernet ethernet = new VirtualEthernet(server, capture);
        Daemon.start("ethernet", () -> ethernet.accept(server));
        return ethernet;
    }

    /** Lets hubs of other processes {@link #join} this hub at another socket, which replaces an existing file. */
    public void meetAt(Path socket) throws IOException {
        ServerSocketChannel meeting = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        meetings.add(meeting);
        Files.deleteIfExists(socket);
        meeting.bind(UnixDomainSocketAddress.of(socket));
        Daemon.start("ethernet-meeting", () -> accept(meeting));
    }

    /**
     * Connects this hub to the hub that called {@link #meetAt} with this socket: frames go to the guests of both hubs.
     */
    public void join(Path socket) throws IOException {
        add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }

    /** Lets a switch take frames from now on. */
    public void switchBy(Switching taker) {
        switching = taker;
    }

    /** Sends a frame of a station to another one; a frame of station 0 comes from a switch, and goes into the capture. */
    public void send(int from, int to, byte[] frame) {
        if (from == 0) {
            record(frame, frame.length);
        }
        for (Port port : ports) {
            if (port.station == to) {
                port.send(frame, frame.length, from);
            }
        }
    }

    /** How many guests are connected. */
    int guests() {
        return ports.size();
    }

    /** The faults between the nodes. */
    public Faults faults() {
        return faults;
    }

    public void addTap(Tap tap) {
        taps.add(tap);
    }

    public void removeTap(Tap tap) {
        taps.remove(tap);
    }

    /**
     * Waits until no frame is on its way to this node; frames that {@link #faults} stop do not count. Returns whether
     * the node is connected.
     */
    public boolean settle(int node) {
        return ports.stream()
                .filter(port -> NodeLink.nodeOf(port.station) == node)
                .allMatch(Port::settle);
    }

    private void add(SocketChannel channel) {
        Port port = new Port(channel);
        ports.add(port);
        Daemon.start("ethernet-port", () -> carry(port));
    }

    private void accept(ServerSocketChannel listener) {
        try {
            while (true) {
                add(listener.accept());
            }
        } catch (IOException e) {
            // The listener was closed.
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
                from.learn(frame, length);
                record(frame, length);
                Switching taker = switching;
                if (taker == null || !taker.frame(from.station, frame, length)) {
                    sendToOthers(from, frame, length);
                }
            }
        } catch (IOException e) {
            // The guest has ended.
        } finally {
            ports.remove(from);
            Switching taker = switching;
            if (taker != null) {
                taker.gone(from.station);
            }
        }
    }

    private void sendToOthers(Port from, byte[] frame, int length) {
        for (Port to : ports) {
            if (to != from) {
                to.send(frame, length, from.station);
            }
        }
    }

    private synchronized void record(byte[] frame, int length) {
        try {
            for (Tap tap : taps) {
                tap.frame(frame, length);
            }
            if (capture != null && captureFailure == null) {
                capture.write(frame, length);
            }
        } catch (IOException e) {
            captureFailure = e;
        }
    }

    /** Ends the network; fails if the capture is incomplete. */
    @Override
    public void close() throws IOException {
        server.close();
        for (ServerSocketChannel meeting : meetings) {
            meeting.close();
        }
        for (Port port : ports) {
            port.channel.close();
        }
        closeCapture();
    }

    private synchronized void closeCapture() throws IOException {
        if (capture != null) {
            capture.close();
        }
        if (captureFailure != null) {
            throw new IOException(
                    "the capture of the network is incomplete: " + captureFailure.getMessage(), captureFailure);
        }
    }

    private final class Port {
        final SocketChannel channel;

        /** 0 until the station has sent a frame, which every one does when its network comes up. */
        volatile int station;

        Port(SocketChannel channel) {
            this.channel = channel;
        }

        /** Waits until no frame is on its way; returns whether the guest is still there. */
        synchronized boolean settle() {
            return channel.isOpen();
        }

        void learn(byte[] frame, int length) {
            if (station == 0 && length >= SOURCE_OFFSET + MAC_BYTES) {
                station = NodeLink.stationOf(frame, SOURCE_OFFSET);
            }
        }

        /** Waits until the guest takes frames. The hub loses no frames; only faults that a user injects lose frames. */
        synchronized void send(byte[] frame, int length, int sender) {
            ByteBuffer[] message = {
                ByteBuffer.allocate(Integer.BYTES).putInt(length).flip(), ByteBuffer.wrap(frame, 0, length)
            };
            try {
                if (faults.lose(NodeLink.nodeOf(sender), NodeLink.nodeOf(station))) {
                    return;
                }
                while (message[1].hasRemaining()) {
                    channel.write(message);
                }
            } catch (IOException e) {
                // The guest has ended; the thread that reads from it notices too.
            }
        }
    }

    /**
     * Faults that lose frames in the hub, not in a guest. Faults of the same kind add up, and each is ended separately.
     */
    public static final class Faults {
        /** All other nodes. */
        private static final int ALL_OTHERS = 0;

        private final Map<Integer, Integer> cuts = new ConcurrentHashMap<>();

        /** Stops all frames between two nodes, in both directions. */
        public void cut(int one, int other) {
            cuts.merge(key(one, other), 1, Integer::sum);
        }

        public void mend(int one, int other) {
            cuts.computeIfPresent(key(one, other), (key, count) -> count == 1 ? null : Integer.valueOf(count - 1));
        }

        /** Stops all frames to and from a node. */
        public void isolate(int node) {
            cut(node, ALL_OTHERS);
        }

        public void rejoin(int node) {
            mend(node, ALL_OTHERS);
        }

        boolean lose(int from, int to) {
            return !cuts.isEmpty()
                    && (cuts.containsKey(key(from, to))
                            || cuts.containsKey(key(from, ALL_OTHERS))
                            || cuts.containsKey(key(to, ALL_OTHERS)));
        }

        private static int key(int one, int other) {
            return Math.min(one, other) * (NodeLink.MOST_NODES + 1) + Math.max(one, other);
        }
    }
}
