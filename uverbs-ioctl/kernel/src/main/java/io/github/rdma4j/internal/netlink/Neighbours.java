// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.AF_INET;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.AF_INET6;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.NDA_DST;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.NDA_LLADDR;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.NUD_DELAY;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.NUD_NOARP;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.NUD_PERMANENT;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.NUD_PROBE;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.NUD_REACHABLE;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.NUD_STALE;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.RTA_DST;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.RTA_GATEWAY;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.RTA_OIF;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.RTM_GETNEIGH;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.RTM_GETROUTE;
import static io.github.rdma4j.internal.netlink.RouteAbi.RouteConstants.RTN_LOCAL;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkConstants;
import io.github.rdma4j.internal.netlink.RouteAbi.NeighbourMessage;
import io.github.rdma4j.internal.netlink.RouteAbi.RouteMessage;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * MAC addresses of this host's neighbours, from the kernel's routing and neighbour tables. If a neighbour is missing, a
 * datagram makes the kernel resolve it, as in the providers of libibverbs.
 */
public final class Neighbours {
    /** The discard service. */
    private static final int DISCARD = 9;

    private static final long LIMIT_NANOS = Duration.ofSeconds(3).toNanos();
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();
    private static final int ADDRESS_KNOWN =
            NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_NOARP | NUD_PERMANENT;

    private Neighbours() {}

    /**
     * The next hop of packets.
     *
     * @param local true for an address of this host
     * @param interfaceIndex the network interface
     * @param hop the address of the neighbour
     */
    private record Route(boolean local, int interfaceIndex, InetAddress hop) {}

    /**
     * The MAC address for packets to {@code destination}. Waits up to 3 seconds for a neighbour to answer.
     *
     * @param interfaceIndex the network interface of the packets; 0 for the interface of the route
     * @throws ErrnoException ENETUNREACH if there is no route, EHOSTUNREACH if the neighbour does not answer
     */
    public static byte[] hardwareAddress(Kernel kernel, InetAddress destination, int interfaceIndex)
            throws RdmaException {
        try (RdmaNetlink netlink = RdmaNetlink.openRoutes(kernel)) {
            Route route = route(netlink, destination, interfaceIndex);
            if (route.local()) {
                return ownAddress(destination, interfaceIndex != 0 ? interfaceIndex : route.interfaceIndex());
            }
            Optional<byte[]> known = neighbour(netlink, route);
            return known.isPresent() ? known.get() : resolve(netlink, route, destination);
        }
    }

    private static Route route(RdmaNetlink netlink, InetAddress destination, int interfaceIndex) throws RdmaException {
        byte[] address = destination.getAddress();
        byte[] bytes = new byte[RouteMessage.BYTES];
        bytes[RouteMessage.RTM_FAMILY] = family(destination);
        bytes[RouteMessage.RTM_DST_LEN] = (byte) (address.length * Byte.SIZE);
        NetlinkRequest request = NetlinkRequest.of(
                        "RTM_GETROUTE of " + destination.getHostAddress(), RTM_GETROUTE, 0, bytes)
                .bytes(RTA_DST, address);
        if (interfaceIndex != 0) {
            request.u32(RTA_OIF, interfaceIndex);
        }
        NetlinkMessage answer = netlink.message(request);
        NetlinkMessage.Attributes attributes = answer.attributes(RouteMessage.BYTES);
        int type = StructFields.getU8(answer.payload(RouteMessage.BYTES), RouteMessage.RTM_TYPE);
        return new Route(
                type == RTN_LOCAL,
                attributes.u32(RTA_OIF).orElse(interfaceIndex),
                address(attributes.bytes(RTA_GATEWAY).orElse(address)));
    }

    private static InetAddress address(byte... bytes) throws RdmaException {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new MalformedReplyException("RTA_GATEWAY", bytes.length, bytes.length);
        }
    }

    private static byte family(InetAddress address) {
        return (byte) (address instanceof Inet4Address ? AF_INET : AF_INET6);
    }

    private static byte[] ownAddress(InetAddress destination, int interfaceIndex) throws RdmaException {
        byte @Nullable [] address;
        try {
            NetworkInterface netdev = NetworkInterface.getByIndex(interfaceIndex);
            address = netdev == null ? null : netdev.getHardwareAddress();
        } catch (IOException e) {
            throw new RdmaException(
                    "the MAC address of network interface " + interfaceIndex + ": " + e.getMessage(), e);
        }
        if (address == null) {
            throw unreachable(destination, "network interface " + interfaceIndex + " has no MAC address");
        }
        return address;
    }

    private static Optional<byte[]> neighbour(RdmaNetlink netlink, Route route) throws RdmaException {
        byte[] bytes = new byte[NeighbourMessage.BYTES];
        bytes[NeighbourMessage.NDM_FAMILY] = family(route.hop());
        byte[] hop = route.hop().getAddress();
        NetlinkRequest request = NetlinkRequest.of("RTM_GETNEIGH", RTM_GETNEIGH, NetlinkConstants.NLM_F_DUMP, bytes);
        for (NetlinkMessage message : netlink.messages(request)) {
            ByteBuffer entry = message.payload(NeighbourMessage.BYTES);
            NetlinkMessage.Attributes attributes = message.attributes(NeighbourMessage.BYTES);
            Optional<byte[]> of = attributes.bytes(NDA_DST);
            boolean fits = entry.getInt(NeighbourMessage.NDM_IFINDEX) == route.interfaceIndex()
                    && of.isPresent()
                    && Arrays.equals(of.get(), hop);
            if (fits && (StructFields.getU16(entry, NeighbourMessage.NDM_STATE) & ADDRESS_KNOWN) != 0) {
                return attributes.bytes(NDA_LLADDR);
            }
        }
        return Optional.empty();
    }

    private static byte[] resolve(RdmaNetlink netlink, Route route, InetAddress destination) throws RdmaException {
        long end = System.nanoTime() + LIMIT_NANOS;
        ask(destination, route.interfaceIndex());
        do {
            LockSupport.parkNanos(PAUSE_NANOS);
            Optional<byte[]> known = neighbour(netlink, route);
            if (known.isPresent()) {
                return known.get();
            }
            if (Thread.currentThread().isInterrupted()) {
                throw unreachable(destination, "the thread was interrupted while waiting for the neighbour");
            }
        } while (System.nanoTime() - end < 0);
        throw unreachable(destination, "the neighbour did not answer within 3 seconds");
    }

    /** Sends a packet, which makes the kernel resolve the neighbour. */
    private static void ask(InetAddress destination, int interfaceIndex) throws RdmaException {
        try (DatagramSocket socket = new DatagramSocket()) {
            InetAddress scoped = destination.isLinkLocalAddress() && destination instanceof Inet6Address
                    ? Inet6Address.getByAddress(null, destination.getAddress(), interfaceIndex)
                    : destination;
            socket.send(new DatagramPacket(new byte[0], 0, new InetSocketAddress(scoped, DISCARD)));
        } catch (IOException e) {
            throw new RdmaException(
                    "resolving the neighbour " + destination.getHostAddress() + ": " + e.getMessage(), e);
        }
    }

    private static ErrnoException unreachable(InetAddress destination, String why) {
        return new ErrnoException("the MAC address of " + destination.getHostAddress(), Errno.EHOSTUNREACH, why);
    }
}
