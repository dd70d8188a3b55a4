// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.cm.abi.PathRecord;
import io.github.rdma4j.cm.abi.QueryAddrReply;
import io.github.rdma4j.cm.abi.QueryGidReply;
import io.github.rdma4j.kernel.RdmaException;
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

    private final EventChannel channel;
    private final int handle;
    private volatile @Nullable SocketAddress localAddress;
    private volatile @Nullable SocketAddress peerAddress;
    private volatile @Nullable SharedDevice device;
    private volatile @Nullable QueryGidReply gids;
    private volatile List<PathRecord> paths = List.of();
    private volatile int portNumber;

    Binding(EventChannel channel, int handle) {
        this.channel = channel;
        this.handle = handle;
    }

    /** Asks for addresses and, where the id is bound to one, device and GIDs. */
    void learnAddresses() throws RdmaException {
        QueryAddrReply reply = channel.ucm().queryAddress(handle);
        localAddress = reply.src();
        if (reply.dst() != null) {
            peerAddress = reply.dst();
        }
        boolean bound = reply.nodeGuid() != NO_GUID || reply.ibdevIndex() != QueryAddrReply.NO_INDEX;
        if (!bound) {
            return;
        }
        if (device == null && reply.portNum() != 0) {
            device = SharedDevice.acquire(channel.kernel(), reply.ibdevIndex(), reply.nodeGuid());
            portNumber = reply.portNum();
        }
        gids = channel.ucm().queryGid(handle);
    }

    /** Asks for the path records of the route. */
    void learnRoute() throws RdmaException {
        paths = channel.ucm().queryPath(handle).paths();
    }

    /** The address that resolving was started for; the kernel's own answer replaces it. */
    void expectPeer(SocketAddress destination) {
        peerAddress = destination;
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
        return device;
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

    /** The id is gone; the device need not be kept open for it. */
    void release() throws RdmaException {
        SharedDevice bound = device;
        if (bound != null) {
            bound.release();
        }
    }

    /** Local and peer address for messages. */
    @Override
    public String toString() {
        return Objects.toString(localAddress, "unbound") + " to " + Objects.toString(peerAddress, "nobody");
    }
}
