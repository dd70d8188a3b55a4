// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.verbs.PathRecord;
import io.github.rdma4j.internal.ucm.QueryAddrReply;
import io.github.rdma4j.internal.ucm.QueryGidReply;
import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel has told of a CM id's addresses, device and route. Written under the id's lock, read by anybody.
 *
 * <p>An id learns its device once and keeps it: it never moves to another one silently.
 */
final class Binding {
    private static final long NO_GUID = 0;

    private final KernelId at;
    private volatile @Nullable SocketAddress localAddress;
    private volatile @Nullable SocketAddress peerAddress;
    private final IdResources resources;
    private volatile @Nullable QueryGidReply gids;
    private volatile List<PathRecord> paths = List.of();
    private volatile int portNumber;
    private volatile int partitionKey;

    Binding(KernelId at, IdResources resources) {
        this.at = at;
        this.resources = resources;
    }

    IdResources resources() {
        return resources;
    }

    KernelId at() {
        return at;
    }

    /** Asks for addresses and, where the id is bound to one, device and GIDs. */
    void learnAddresses() throws RdmaException {
        QueryAddrReply reply = at.ucm().queryAddress(at.handle());
        localAddress = reply.src();
        if (reply.dst() != null && !isNobody(reply.dst())) {
            peerAddress = reply.dst();
        }
        boolean bound = reply.nodeGuid() != NO_GUID || reply.ibdevIndex() != QueryAddrReply.NO_INDEX;
        if (!bound) {
            return;
        }
        if (resources.device() == null && reply.portNum() != 0) {
            resources.device(SharedDevice.acquire(at.channel().kernel(), reply.ibdevIndex(), reply.nodeGuid()));
            portNumber = reply.portNum();
            partitionKey = reply.pkey();
        }
        gids = at.ucm().queryGid(at.handle());
    }

    /**
     * After a failure to resolve: the kernel has bound an id that had no address to the wildcard. True when it is bound.
     */
    boolean isBoundAfter(RdmaException failure) {
        try {
            learnAddresses();
        } catch (RdmaException e) {
            failure.addSuppressed(e);
        }
        return (localAddress instanceof InetSocketAddress inet && inet.getPort() != 0)
                || localAddress instanceof IbSocketAddress;
    }

    /** The kernel gives an id that is bound a destination of its family, the wildcard. */
    private static boolean isNobody(SocketAddress destination) {
        return destination instanceof InetSocketAddress inet
                && inet.getPort() == 0
                && inet.getAddress().isAnyLocalAddress();
    }

    /** Asks for the path records of the route. */
    void learnRoute() throws RdmaException {
        paths = at.ucm().queryPath(at.handle()).paths();
    }

    /** The address that resolving was started for; the kernel's own answer replaces it. */
    void expectPeer(SocketAddress destination) {
        peerAddress = destination;
    }

    /**
     * The kernel does not look at the source of an id that is bound already, and would resolve from the address that it
     * has.
     */
    void requireMayUse(SocketAddress source) {
        SocketAddress bound = localAddress;
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

    @Nullable
    SocketAddress localAddress() {
        return localAddress;
    }

    @Nullable
    SocketAddress peerAddress() {
        return peerAddress;
    }

    @Nullable
    SharedDevice device() {
        return resources.device();
    }

    @Nullable
    QueryGidReply gids() {
        return gids;
    }

    List<PathRecord> paths() {
        return paths;
    }

    int portNumber() {
        return portNumber;
    }

    int partitionKey() {
        return partitionKey;
    }

    /** Whether the local address, or the peer's while there is none, is one of IP: such an id says so in its requests. */
    boolean isIp() {
        SocketAddress address = localAddress != null ? localAddress : peerAddress;
        return !(address instanceof IbSocketAddress);
    }

    /** The id is gone; the device need not be kept open for it. */
    void release() throws RdmaException {
        resources.releaseDevice();
    }

    /** Local and peer address for messages. */
    @Override
    public String toString() {
        return Objects.toString(localAddress, "unbound") + " to " + Objects.toString(peerAddress, "nobody");
    }
}
