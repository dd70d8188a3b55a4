// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.verbs.PathRecord;
import io.github.rdma4j.internal.ucm.QueryGidReply;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.Gid;
import io.github.rdma4j.verbs.ProtectionDomain;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What may be asked of a CM id about addresses, device and route. */
abstract class BoundId extends StatefulId {
    private final Binding binding;

    BoundId(CmState state, Binding binding) {
        super(state);
        this.binding = binding;
    }

    Binding binding() {
        return binding;
    }

    /** The address on this side, once bound. */
    public Optional<InetSocketAddress> localAddress() {
        return inet(binding.localAddress());
    }

    /** The peer's address, once resolved or requested. */
    public Optional<InetSocketAddress> peerAddress() {
        return inet(binding.peerAddress());
    }

    /** The InfiniBand address on this side, of an id that was bound to one. */
    public Optional<IbSocketAddress> localIbAddress() {
        return binding.localAddress() instanceof IbSocketAddress ib ? Optional.of(ib) : Optional.empty();
    }

    private static Optional<InetSocketAddress> inet(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress inet ? Optional.of(inet) : Optional.empty();
    }

    /** True once the id is bound to a device: a wildcard or loopback address binds to none. */
    public boolean hasDevice() {
        return binding.device() != null;
    }

    /**
     * The device of the id, shared with all other ids on it. Make completion queues on it; do not close it.
     *
     * @throws IllegalStateException when the id is not bound to a device
     */
    public DeviceContext context() {
        return requireDevice().context();
    }

    /**
     * The protection domain that all ids on the device share. Register memory in it, or use one of your own; do not
     * close it.
     *
     * @throws IllegalStateException when the id is not bound to a device
     */
    public ProtectionDomain pd() {
        return requireDevice().pd();
    }

    /** The port of the device, from 1; 0 while the id is not bound to one. */
    public int portNumber() {
        return binding.portNumber();
    }

    /**
     * The partition key of the id; 0 while it is not bound to a device, and on Ethernet, where only {@link #paths()} have
     * one.
     */
    public int partitionKey() {
        return binding.partitionKey();
    }

    /** The GID that stands for the local address. */
    public Optional<Gid> sourceGid() {
        return Optional.ofNullable(binding.gids()).map(QueryGidReply::sgid);
    }

    /** The GID that stands for the peer's address. */
    public Optional<Gid> destinationGid() {
        return Optional.ofNullable(binding.gids()).map(QueryGidReply::dgid);
    }

    /** The path records of the route, once it is resolved. */
    public List<PathRecord> paths() {
        return binding.paths();
    }

    SharedDevice requireDevice() {
        SharedDevice bound = binding.device();
        if (bound == null) {
            throw new IllegalStateException(this + " is not bound to an RDMA device: bind it to the address of one, or"
                    + " resolve an address that one leads to");
        }
        return bound;
    }

    /** Local and peer address for messages. */
    String describeAddresses() {
        return binding.toString();
    }
}
