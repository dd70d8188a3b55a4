// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Enumeration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of sockets for datagrams, with the values that the JDK gives and takes. */
final class UdpOptions {
    private static final int MOST_HOPS = 255;
    private static final int BYTES_4 = 4;

    /** Of the module {@code jdk.net}, which a runtime image need not have, or of a later JDK: null then. */
    private static final @Nullable SocketOption<?> DONT_FRAGMENT = ExtendedOption.find("IP_DONTFRAGMENT");

    private static final @Nullable SocketOption<?> QUEUE = ExtendedOption.find("SO_INCOMING_NAPI_ID");

    /** An option of IPv4, and its counterpart of IPv6. */
    private record Names(int four, int six) {}

    private static final Map<SocketOption<?>, Names> MULTICAST = Map.of(
            StandardSocketOptions.IP_MULTICAST_TTL,
            new Names(SocketCalls.IP_MULTICAST_TTL, SocketCalls.IPV6_MULTICAST_HOPS),
            StandardSocketOptions.IP_MULTICAST_LOOP,
            new Names(SocketCalls.IP_MULTICAST_LOOP, SocketCalls.IPV6_MULTICAST_LOOP));

    static final Set<SocketOption<?>> ALL = TcpOptions.present(
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_REUSEPORT,
            StandardSocketOptions.SO_BROADCAST,
            StandardSocketOptions.IP_TOS,
            StandardSocketOptions.IP_MULTICAST_IF,
            StandardSocketOptions.IP_MULTICAST_TTL,
            StandardSocketOptions.IP_MULTICAST_LOOP,
            DONT_FRAGMENT,
            QUEUE);

    private UdpOptions() {}

    /** The checks of a new value. */
    static void checkValue(SocketOption<?> name, Object value) throws SocketException {
        TcpOptions.checkValue(name, value);
        if (name == StandardSocketOptions.IP_MULTICAST_TTL && ((int) value < 0 || (int) value > MOST_HOPS)) {
            throw new IllegalArgumentException("Invalid TTL/hop value");
        }
    }

    /** The first address of IPv4 that the device has. */
    static Inet4Address inet4(NetworkInterface device) throws IOException {
        Enumeration<InetAddress> addresses = device.getInetAddresses();
        while (addresses.hasMoreElements()) {
            if (addresses.nextElement() instanceof Inet4Address four) {
                return four;
            }
        }
        throw new IOException("Network interface not configured for IPv4");
    }

    static int index(NetworkInterface device) throws IOException {
        int index = device.getIndex();
        if (index == -1) {
            throw new IOException("Network interface cannot be identified");
        }
        return index;
    }

    static <T> void set(TcpSocket socket, SocketOption<T> option, T value) throws IOException {
        Names multicast = MULTICAST.get(option);
        if (multicast != null) {
            int number = value instanceof Boolean on ? (on ? 1 : 0) : (int) value;
            setBoth(socket, multicast, number);
        } else if (value instanceof NetworkInterface device) {
            setDevice(socket, device);
        } else if (option == DONT_FRAGMENT) {
            int how = (boolean) value ? SocketCalls.IP_PMTUDISC_DO : SocketCalls.IP_PMTUDISC_DONT;
            setBoth(socket, new Names(SocketCalls.IP_MTU_DISCOVER, SocketCalls.IPV6_MTU_DISCOVER), how);
        } else if (option == QUEUE) {
            throw new SocketException("Value of type " + QUEUE + " cannot be set");
        } else {
            TcpOptions.set(socket, option, value);
        }
    }

    /** A socket of IPv6 sends datagrams of IPv4 too, which have options of their own. */
    private static void setBoth(TcpSocket socket, Names names, int value) throws IOException {
        if (socket.family().isIpv6()) {
            socket.setInt(SocketCalls.IPPROTO_IPV6, names.six, value);
        }
        socket.setInt(SocketCalls.IPPROTO_IP, names.four, value);
    }

    private static void setDevice(TcpSocket socket, NetworkInterface device) throws IOException {
        boolean ipv6 = socket.family().isIpv6();
        if (ipv6) {
            socket.setInt(SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_MULTICAST_IF, index(device));
        }
        try {
            byte[] address = inet4(device).getAddress();
            socket.setStruct(SocketCalls.IPPROTO_IP, SocketCalls.IP_MULTICAST_IF, struct -> {
                struct.put(0, address);
                return BYTES_4;
            });
        } catch (IOException e) {
            if (!ipv6) {
                throw e;
            }
        }
    }

    static <T> @Nullable T get(TcpSocket socket, SocketOption<T> option) throws IOException {
        Names multicast = MULTICAST.get(option);
        Class<T> type = option.type();
        if (multicast != null) {
            int value = getEither(socket, multicast);
            return type.cast(type == Boolean.class ? (Object) (value != 0) : (Object) value);
        }
        if (option == StandardSocketOptions.IP_MULTICAST_IF) {
            return type.cast(device(socket));
        }
        if (option == DONT_FRAGMENT) {
            int how = socket.getInt(SocketCalls.IPPROTO_IP, SocketCalls.IP_MTU_DISCOVER);
            return type.cast(how == SocketCalls.IP_PMTUDISC_DO);
        }
        if (option == QUEUE) {
            return type.cast(socket.getInt(SocketCalls.SOL_SOCKET, SocketCalls.SO_INCOMING_NAPI_ID));
        }
        return TcpOptions.get(socket, option);
    }

    private static int getEither(TcpSocket socket, Names names) throws IOException {
        return socket.family().isIpv6()
                ? socket.getInt(SocketCalls.IPPROTO_IPV6, names.six)
                : socket.getInt(SocketCalls.IPPROTO_IP, names.four);
    }

    /** The device for multicast; null if the kernel selects it. */
    private static @Nullable NetworkInterface device(TcpSocket socket) throws IOException {
        if (socket.family().isIpv6()) {
            int index = socket.getInt(SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_MULTICAST_IF);
            return index == 0 ? null : found(NetworkInterface.getByIndex(index), "index");
        }
        int address = Integer.reverseBytes(socket.getInt(SocketCalls.IPPROTO_IP, SocketCalls.IP_MULTICAST_IF));
        return address == 0
                ? null
                : found(NetworkInterface.getByInetAddress(SocketAddresses.inet4(address)), "address");
    }

    private static NetworkInterface found(@Nullable NetworkInterface device, String what) throws IOException {
        if (device == null) {
            throw new IOException("Unable to map " + what + " to interface");
        }
        return Objects.requireNonNull(device);
    }
}
