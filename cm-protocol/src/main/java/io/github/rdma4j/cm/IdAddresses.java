// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two addresses of a CM id as the kernel has told them. Written under the id's lock, read by any thread. */
final class IdAddresses {
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

    /** False for an id without an address, and for an address of IP without a port, which no bound id has. */
    boolean isBound() {
        SocketAddress address = local;
        return (address instanceof InetSocketAddress inet && inet.getPort() != 0) || address instanceof IbSocketAddress;
    }

    /** Whether the local address, or the peer's while there is no local one, is an IP address: requests then carry both. */
    boolean isIp() {
        SocketAddress known = local;
        SocketAddress address = known != null ? known : peer;
        return !(address instanceof IbSocketAddress);
    }

    /**
     * The kernel does not look at the source of an id that is bound already, and would resolve from the address that it
     * has.
     */
    void requireMayUse(SocketAddress source) {
        SocketAddress bound = local;
        if (bound == null || bound.equals(source)) {
            return;
        }
        if (bound instanceof InetSocketAddress has && source instanceof InetSocketAddress wants) {
            boolean samePort = wants.getPort() == 0 || wants.getPort() == has.getPort();
            if (samePort && has.getAddress().equals(wants.getAddress())) {
                return;
            }
        }
        throw new IllegalArgumentException("the id is bound to " + bound + " and cannot resolve from " + source);
    }

    /** Both addresses for messages. */
    @Override
    public String toString() {
        return Objects.toString(local, "unbound") + " to " + Objects.toString(peer, "nobody");
    }
}
