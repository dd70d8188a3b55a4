// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A channel of datagrams as a socket that can join groups: what {@link DatagramChannel#socket()} returns. */
@SuppressWarnings("deprecation") // methods that programs still call
final class UdpAdaptor extends MulticastSocket {
    /** Stands for the device that the kernel selects; only the JDK can make such an object. */
    private static final class AnyDevice {
        static final NetworkInterface INSTANCE = ask();

        private static NetworkInterface ask() {
            try (MulticastSocket socket = new MulticastSocket()) {
                return socket.getNetworkInterface();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Since Java 19 a socket of a channel says that an interrupt has closed it. */
    private static final boolean TELLS_OF_INTERRUPTS = Runtime.version().feature() >= 19;

    private final UdpChannel channel;

    private final Packets packets = new Packets();
    private volatile int timeoutMillis;

    /** One thread at a time changes the number of hops, the device, and the groups. */
    private final ReentrantLock lock = new ReentrantLock();

    /** The address that the device for multicast was set by. */
    private @Nullable NetworkInterface outgoing;

    private @Nullable InetAddress outgoingAddress;

    private UdpAdaptor(UdpChannel channel) throws IOException {
        super((SocketAddress) null);
        this.channel = channel;
        // The socket that the class makes for itself.
        super.close();
    }

    static DatagramSocket of(UdpChannel channel) {
        try {
            return new UdpAdaptor(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a socket throws where its channel throws something else. */
    private static SocketException socketException(Exception e) {
        if (e instanceof SocketException socket) {
            return socket;
        }
        IOException other = SocketExceptions.of(e, false);
        return SocketExceptions.socket(other);
    }

    private static InetSocketAddress inet(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new IllegalArgumentException("unsupported address type");
        }
        return inet;
    }

    private static InetAddress anyAddress() {
        return new InetSocketAddress(0).getAddress();
    }

    @Override
    public void bind(@Nullable SocketAddress address) throws SocketException {
        InetSocketAddress wanted = address == null ? new InetSocketAddress(0) : inet(address);
        try {
            DatagramChannel unused = channel.bind(wanted);
        } catch (IOException | RuntimeException e) {
            throw socketException(e);
        }
    }

    @Override
    public void connect(InetAddress address, int port) {
        if (address == null) {
            throw new IllegalArgumentException("Address can't be null");
        }
        try {
            connectNow(new InetSocketAddress(address, port));
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void connect(SocketAddress address) throws SocketException {
        if (address == null) {
            throw new IllegalArgumentException("Address can't be null");
        }
        connectNow(inet(address));
    }

    private void connectNow(InetSocketAddress address) throws SocketException {
        try {
            channel.connect(address, false);
        } catch (ClosedChannelException e) {
            // As the JDK's sockets.
        } catch (IOException | RuntimeException e) {
            throw socketException(e);
        }
    }

    @Override
    public void disconnect() {
        try {
            DatagramChannel unused = channel.disconnect();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean isBound() {
        return channel.local() != null;
    }

    @Override
    public boolean isConnected() {
        return channel.remote() != null;
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        InetSocketAddress remote = channel.remote();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = channel.remote();
        return remote == null ? -1 : remote.getPort();
    }

    @Override
    public @Nullable SocketAddress getRemoteSocketAddress() {
        return channel.remote();
    }

    @Override
    public @Nullable SocketAddress getLocalSocketAddress() {
        return isClosed() ? null : channel.local();
    }

    @Override
    public @Nullable InetAddress getLocalAddress() {
        InetSocketAddress local = channel.local();
        return isClosed() ? null : local == null ? anyAddress() : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.local();
        return isClosed() ? -1 : local == null ? 0 : local.getPort();
    }

    // Datagrams.

    @Override
    public void send(DatagramPacket packet) throws IOException {
        synchronized (packet) {
            InetSocketAddress remote = channel.remote();
            if (packet.getAddress() == null) {
                if (remote == null) {
                    checkNotClosed();
                    throw new IllegalArgumentException("Address not set");
                }
                packet.setSocketAddress(remote);
            }
            ByteBuffer bytes = ByteBuffer.wrap(packet.getData(), packet.getOffset(), packet.getLength());
            try {
                int unused = channel.send(bytes, packet.getSocketAddress(), true);
            } catch (AlreadyConnectedException e) {
                throw new IllegalArgumentException("Connected and packet address differ", e);
            } catch (ClosedChannelException e) {
                throw SocketExceptions.caused(new SocketException("Socket closed"), e);
            }
        }
    }

    @Override
    public void receive(DatagramPacket packet) throws IOException {
        synchronized (packet) {
            long nanos = Sleep.nanos(timeoutMillis);
            byte[] data = packet.getData();
            int offset = packet.getOffset();
            int room = packets.room(packet);
            ByteBuffer bytes = ByteBuffer.wrap(data, offset, room);
            try {
                SocketAddress sender = channel.receiveLimited(bytes, nanos);
                packets.received(packet, bytes.position() - offset, room);
                packet.setSocketAddress(Objects.requireNonNull(sender));
            } catch (ClosedByInterruptException e) {
                throw TELLS_OF_INTERRUPTS ? e : SocketExceptions.caused(new SocketException("Socket closed"), e);
            } catch (ClosedChannelException e) {
                throw SocketExceptions.caused(new SocketException("Socket closed"), e);
            }
        }
    }

    // Options.

    private void checkNotClosed() throws SocketException {
        if (isClosed()) {
            throw new SocketException("Socket is closed");
        }
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        checkNotClosed();
        if (millis < 0) {
            throw new IllegalArgumentException("timeout < 0");
        }
        timeoutMillis = millis;
    }

    @Override
    public int getSoTimeout() throws SocketException {
        checkNotClosed();
        return timeoutMillis;
    }

    private <T> void set(SocketOption<T> option, T value) throws SocketException {
        try {
            DatagramChannel unused = channel.setOption(option, value);
        } catch (IOException e) {
            throw socketException(e);
        }
    }

    private <T> T get(SocketOption<T> option) throws SocketException {
        try {
            return Objects.requireNonNull(channel.getOption(option));
        } catch (IOException e) {
            throw socketException(e);
        }
    }

    private static void checkSize(int size, String what) {
        if (size <= 0) {
            throw new IllegalArgumentException("Invalid " + what + " size");
        }
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        checkSize(size, "send");
        set(StandardSocketOptions.SO_SNDBUF, size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        checkSize(size, "receive");
        set(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return get(StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setBroadcast(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_BROADCAST, on);
    }

    @Override
    public boolean getBroadcast() throws SocketException {
        return get(StandardSocketOptions.SO_BROADCAST);
    }

    @Override
    public void setTrafficClass(int value) throws SocketException {
        set(StandardSocketOptions.IP_TOS, value);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return get(StandardSocketOptions.IP_TOS);
    }

    @Override
    public <T> DatagramSocket setOption(SocketOption<T> name, T value) throws IOException {
        DatagramChannel unused = channel.setOption(name, value);
        return this;
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> name) throws IOException {
        return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    // Groups.

    @Override
    public void setTTL(byte hops) throws IOException {
        setTimeToLive(Byte.toUnsignedInt(hops));
    }

    @Override
    public byte getTTL() throws IOException {
        return (byte) getTimeToLive();
    }

    @Override
    public void setTimeToLive(int hops) throws IOException {
        lock.lock();
        try {
            set(StandardSocketOptions.IP_MULTICAST_TTL, hops);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int getTimeToLive() throws IOException {
        return get(StandardSocketOptions.IP_MULTICAST_TTL);
    }

    @Override
    public void send(DatagramPacket packet, byte hops) throws IOException {
        lock.lock();
        try {
            int before = getTimeToLive();
            setTimeToLive(Byte.toUnsignedInt(hops));
            try {
                send(packet);
            } finally {
                setTimeToLive(before);
            }
        } finally {
            lock.unlock();
        }
    }

    private static InetAddress group(SocketAddress address) throws SocketException {
        if (!(address instanceof InetSocketAddress inet)) {
            throw new IllegalArgumentException("Unsupported address type");
        }
        InetAddress group = inet.getAddress();
        if (group == null) {
            throw new IllegalArgumentException("Unresolved address");
        }
        if (!group.isMulticastAddress()) {
            throw new SocketException("Not a multicast address");
        }
        return group;
    }

    private NetworkInterface deviceOr(@Nullable NetworkInterface device) throws SocketException {
        return device != null ? device : getNetworkInterface();
    }

    @Override
    public void joinGroup(InetAddress group) throws IOException {
        Objects.requireNonNull(group);
        try {
            joinGroup(new InetSocketAddress(group, 0), null);
        } catch (IllegalArgumentException e) {
            throw SocketExceptions.caused(new SocketException("joinGroup failed"), e);
        }
    }

    @Override
    public void leaveGroup(InetAddress group) throws IOException {
        Objects.requireNonNull(group);
        try {
            leaveGroup(new InetSocketAddress(group, 0), null);
        } catch (IllegalArgumentException e) {
            throw SocketExceptions.caused(new SocketException("leaveGroup failed"), e);
        }
    }

    @Override
    public void joinGroup(SocketAddress address, @Nullable NetworkInterface by) throws IOException {
        InetAddress group = group(address);
        NetworkInterface device = deviceOr(by);
        checkNotClosed();
        lock.lock();
        try {
            if (channel.membership(group, device) != null) {
                throw new SocketException("Already a member of group");
            }
            MembershipKey unused = channel.join(group, device);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void leaveGroup(SocketAddress address, @Nullable NetworkInterface by) throws IOException {
        InetAddress group = group(address);
        NetworkInterface device = deviceOr(by);
        checkNotClosed();
        lock.lock();
        try {
            MembershipKey key = channel.membership(group, device);
            if (key == null) {
                throw new SocketException("Not a member of group");
            }
            key.drop();
        } finally {
            lock.unlock();
        }
    }

    // The device.

    @Override
    public void setInterface(InetAddress address) throws SocketException {
        if (address == null) {
            throw new SocketException("Invalid value 'null'");
        }
        NetworkInterface device = NetworkInterface.getByInetAddress(address);
        if (device == null) {
            throw new SocketException("No network interface found with address " + address.getHostAddress());
        }
        lock.lock();
        try {
            setNetworkInterface(device);
            outgoing = device;
            outgoingAddress = address;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public InetAddress getInterface() throws SocketException {
        lock.lock();
        try {
            NetworkInterface device = set();
            if (device == null) {
                return anyAddress();
            }
            if (!device.equals(outgoing) || outgoingAddress == null) {
                outgoing = device;
                outgoingAddress = device.inetAddresses().findFirst().orElse(anyAddress());
            }
            return outgoingAddress;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void setNetworkInterface(NetworkInterface device) throws SocketException {
        set(StandardSocketOptions.IP_MULTICAST_IF, device);
    }

    /** The device that was set. */
    private @Nullable NetworkInterface set() throws SocketException {
        try {
            return channel.getOption(StandardSocketOptions.IP_MULTICAST_IF);
        } catch (IOException e) {
            throw socketException(e);
        }
    }

    @Override
    public NetworkInterface getNetworkInterface() throws SocketException {
        NetworkInterface device = set();
        return device == null ? AnyDevice.INSTANCE : device;
    }

    @Override
    public void setLoopbackMode(boolean disable) throws SocketException {
        set(StandardSocketOptions.IP_MULTICAST_LOOP, !disable);
    }

    @Override
    public boolean getLoopbackMode() throws SocketException {
        return !get(StandardSocketOptions.IP_MULTICAST_LOOP);
    }

    // The end.

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public DatagramChannel getChannel() {
        return channel;
    }
}
