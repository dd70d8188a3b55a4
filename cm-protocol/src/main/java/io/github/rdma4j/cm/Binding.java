// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.BindCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveAddrCommand;
import io.github.rdma4j.internal.ucm.AddressCommands.ResolveRouteCommand;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ListenCommand;
import io.github.rdma4j.internal.ucm.Query.QueryAddrReply;
import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Binds a CM id to addresses, a device and a route, and stores the values that the kernel reports. Written under the
 * id's lock, read by any thread.
 *
 * <p>An id learns its device once and keeps it; it never moves to another device.
 */
final class Binding {
    private final CmIdCore core;
    private final IdAddresses addresses;
    private final IdResources resources;
    private volatile @Nullable QueryGidReply gids;
    private volatile List<PathRecord> paths = List.of();
    private volatile int portNumber;
    private volatile int partitionKey;

    Binding(CmIdCore core, IdResources resources) {
        this.core = core;
        this.addresses = core.addresses;
        this.resources = resources;
    }

    void bind(SocketAddress address) throws RdmaException {
        core.command(CmCommand.BIND, () -> bindTo(address));
    }

    private void bindTo(SocketAddress address) throws RdmaException {
        core.ucm().send(UcmCommand.BIND, address, new BindCommand(core.handle(), address)::encode);
        core.enter(CmState.BOUND);
        learnAddresses();
    }

    void resolveAddress(@Nullable SocketAddress source, SocketAddress destination, int timeoutMillis)
            throws RdmaException {
        core.command(CmCommand.RESOLVE_ADDRESS, () -> {
            if (source != null && core.state() == CmState.IDLE) {
                bindTo(source);
            } else if (source != null) {
                addresses.requireMayUse(source);
            }
            try {
                ResolveAddrCommand body = new ResolveAddrCommand(core.handle(), timeoutMillis, source, destination);
                core.ucm().send(UcmCommand.RESOLVE_ADDR, destination, body::encode);
            } catch (RdmaException e) {
                enterIfBoundAfter(e);
                throw e;
            }
            addresses.peer(destination); // until the kernel's reply replaces it
        });
    }

    /**
     * Enters BOUND after a failure to resolve or to listen, because the kernel binds an unbound id to the wildcard
     * address.
     */
    private void enterIfBoundAfter(RdmaException failure) {
        try {
            learnAddresses();
        } catch (RdmaException e) {
            failure.addSuppressed(e);
        }
        if (addresses.isBound()) {
            core.enter(CmState.BOUND);
        }
    }

    void resolveRoute(int timeoutMillis) throws RdmaException {
        ResolveRouteCommand body = new ResolveRouteCommand(core.handle(), timeoutMillis);
        core.command(CmCommand.RESOLVE_ROUTE, () -> core.ucm().send(UcmCommand.RESOLVE_ROUTE, body::encode));
    }

    void listen(int backlog) throws RdmaException {
        core.command(CmCommand.LISTEN, () -> {
            try {
                core.ucm().send(UcmCommand.LISTEN, new ListenCommand(core.handle(), backlog)::encode);
            } catch (RdmaException e) {
                enterIfBoundAfter(e);
                throw e;
            }
            core.enter(CmState.LISTENING);
            learnAddresses();
        });
    }

    /** Queries the addresses and, if the id is bound to a device, the device and the GIDs. */
    void learnAddresses() throws RdmaException {
        QueryAddrReply reply = core.ucm().queryAddress(core.handle());
        addresses.local(reply.src());
        if (reply.dst() != null && !isWildcard(reply.dst())) {
            addresses.peer(reply.dst());
        }
        if (reply.portNum() == 0) { // the port shows a missing device, because the kernel zeroes the index then
            return;
        }
        if (resources.device == null) {
            resources.device = SharedDevice.acquire(core.ucm().kernel(), reply.ibdevIndex(), reply.nodeGuid());
            portNumber = reply.portNum();
            partitionKey = reply.pkey();
        }
        gids = core.ucm().queryGid(core.handle());
    }

    /** Returns true for the wildcard, which the kernel reports as the destination of a bound id. */
    private static boolean isWildcard(SocketAddress destination) {
        return destination instanceof InetSocketAddress inet
                && inet.getPort() == 0
                && inet.getAddress().isAnyLocalAddress();
    }

    /** Queries the path records of the route. */
    void learnRoute() throws RdmaException {
        paths = core.ucm().queryPath(core.handle()).paths();
    }

    @Nullable
    SharedDevice device() {
        return resources.device;
    }

    SharedDevice requireDevice() {
        SharedDevice bound = resources.device;
        if (bound == null) {
            throw new IllegalStateException(
                    core + " is not bound to an RDMA device: bind it to the address of a device,"
                            + " or resolve an address that a device can reach");
        }
        return bound;
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
}
