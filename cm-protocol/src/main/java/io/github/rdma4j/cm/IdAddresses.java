// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two addresses of a CM id, as reported by the kernel. Written under the id's lock, read by any thread. */
final class IdAddresses {
    /** The bits of a service id that are the port. */
    private static final long PORT = 0xffff;

    private volatile @Nullable SocketAddress local;
    private volatile @Nullable SocketAddress peer;

    @Nullable
    SocketAddress local() {
        return local;
    }

    @Nullable
    SocketAddress peer() {
        return peer;
    }

    Optional<InetSocketAddress> localInet() {
        return inet(local);
    }

    Optional<InetSocketAddress> peerInet() {
        return inet(peer);
    }

    private static Optional<InetSocketAddress> inet(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress inet ? Optional.of(inet) : Optional.empty();
    }

    void local(@Nullable SocketAddress address) {
        local = address;
    }

    void peer(SocketAddress address) {
        peer = address;
    }

    /** Returns false for an id without an address, and for an IP address without a port, which no bound id has. */
    boolean isBound() {
        SocketAddress address = local;
        return (address instanceof InetSocketAddress inet && inet.getPort() != 0) || address instanceof IbSocketAddress;
    }

    /**
     * Returns true if the local address is an IP address or, without a local address, the peer address. Requests then
     * carry both addresses.
     */
    boolean isIp() {
        SocketAddress known = local;
        SocketAddress address = known != null ? known : peer;
        return !(address instanceof IbSocketAddress);
    }

    /**
     * Checks that a bound id may resolve from {@code source}. The kernel ignores the source of a bound id and would
     * resolve from the bound address.
     */
    void requireMayUse(SocketAddress source) {
        SocketAddress bound = local;
        if (bound == null || includes(source, bound)) {
            return;
        }
        throw new IllegalArgumentException("the id is bound to " + bound + " and cannot resolve from " + source);
    }

    /**
     * Returns true if {@code wanted} equals {@code bound}, except for a port or a scope that {@code wanted} leaves
     * open.
     */
    private static boolean includes(SocketAddress wanted, SocketAddress bound) {
        if (wanted instanceof InetSocketAddress wants && bound instanceof InetSocketAddress has) {
            return (wants.getPort() == 0 || wants.getPort() == has.getPort())
                    && Objects.equals(wants.getAddress(), has.getAddress())
                    && (scope(wants) == 0 || scope(wants) == scope(has));
        }
        if (wanted instanceof IbSocketAddress wants && bound instanceof IbSocketAddress has) {
            long compared = wants.port() == 0 ? wants.serviceIdMask() & ~PORT : wants.serviceIdMask();
            return ((wants.serviceId() ^ has.serviceId()) & compared) == 0
                    && wants.gid().equals(has.gid())
                    && wants.pkey() == has.pkey()
                    && wants.scopeId() == has.scopeId();
        }
        return wanted.equals(bound);
    }

    /** Compares addresses as the kernel does: unlike {@code equals}, including the scope of an IPv6 address. */
    static boolean isSame(SocketAddress one, SocketAddress other) {
        boolean sameScope = !(one instanceof InetSocketAddress a)
                || !(other instanceof InetSocketAddress b)
                || scope(a) == scope(b);
        return sameScope && one.equals(other);
    }

    private static int scope(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address ipv6 ? ipv6.getScopeId() : 0;
    }

    /** Returns both addresses for messages. */
    @Override
    public String toString() {
        return Objects.toString(local, "unbound") + " to " + Objects.toString(peer, "nobody");
    }
}
