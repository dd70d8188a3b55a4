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
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A channel of datagrams as a socket that can join groups: what {@link DatagramChannel#socket()} returns. */
@SuppressWarnings("deprecation") // methods that programs still call
final class UdpMulticastAdaptor extends UdpAdaptor {
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

    private final UdpChannel channel;

    /** One thread at a time changes the number of hops, the device, and the groups. */
    private final ReentrantLock lock = new ReentrantLock();

    /** The address that the device for multicast was set by. */
    private @Nullable NetworkInterface outgoing;

    private @Nullable InetAddress outgoingAddress;

    private UdpMulticastAdaptor(UdpChannel channel) throws IOException {
        super(channel);
        this.channel = channel;
    }

    static DatagramSocket of(UdpChannel channel) {
        try {
            return new UdpMulticastAdaptor(channel);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

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

    // Groups.

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

    private @Nullable MembershipKey find(InetAddress group, NetworkInterface device) {
        channel.stateLock().lock();
        try {
            return channel.memberships().find(group, device, null);
        } finally {
            channel.stateLock().unlock();
        }
    }

    private static SocketException socketException(String text, IllegalArgumentException cause) {
        SocketException failed = new SocketException(text);
        failed.initCause(cause);
        return failed;
    }

    @Override
    public void joinGroup(InetAddress group) throws IOException {
        Objects.requireNonNull(group);
        try {
            joinGroup(new InetSocketAddress(group, 0), null);
        } catch (IllegalArgumentException e) {
            throw socketException("joinGroup failed", e);
        }
    }

    @Override
    public void leaveGroup(InetAddress group) throws IOException {
        Objects.requireNonNull(group);
        try {
            leaveGroup(new InetSocketAddress(group, 0), null);
        } catch (IllegalArgumentException e) {
            throw socketException("leaveGroup failed", e);
        }
    }

    @Override
    public void joinGroup(SocketAddress address, @Nullable NetworkInterface by) throws IOException {
        InetAddress group = group(address);
        NetworkInterface device = deviceOr(by);
        checkNotClosed();
        lock.lock();
        try {
            if (find(group, device) != null) {
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
            MembershipKey key = find(group, device);
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
}
