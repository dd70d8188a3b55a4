// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.JoinMcastCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The multicast groups of a datagram id; see {@link CmId#multicast()}. Safe for use by several threads.
 *
 * <pre>{@code
 * GroupMembership membership = id.multicast().join(GROUP);
 * try (CmEvent event = channel.awaitEvent()) {
 *     if (event.type() != CmEventType.MULTICAST_JOIN) {
 *         throw event.toException();
 *     }
 * }
 * DatagramPeer group = membership.peer().orElseThrow();
 * }</pre>
 */
public final class CmMulticast {
    final CmIdCore core;
    private final Retrieval.Current current;
    private final Binding binding;
    private final ConnectionQp qp;
    private final CmId id;

    /** Newest first; written under the id's lock. */
    private final List<GroupMembership> joined = new CopyOnWriteArrayList<>();

    /**
     * The memberships that still exist in the kernel, newest first: a superset of {@link #joined}; used under the id's
     * lock.
     */
    private final List<GroupMembership> held = new ArrayList<>();

    /** Creates the operations; {@code id} is only returned to the users of memberships, and never called here. */
    CmMulticast(CmIdCore core, Retrieval.Current current, Binding binding, ConnectionQp qp, CmId id) {
        this.core = core;
        this.current = current;
        this.binding = binding;
        this.qp = qp;
        this.id = id;
    }

    /**
     * Starts joining as a full member ({@code rdma_join_multicast(3)}); see
     * {@link #join(SocketAddress, GroupMembership.Mode)}.
     */
    public GroupMembership join(SocketAddress group) throws RdmaException {
        return join(group, GroupMembership.Mode.FULL_MEMBER);
    }

    /**
     * Starts joining a multicast group ({@code rdma_join_multicast_ex(3)}). MULTICAST_JOIN or MULTICAST_ERROR follows.
     * The queue pair of a full member is attached to the group when the event is retrieved. Attach a queue pair that is
     * created later, or not through the id, with {@link io.github.rdma4j.verbs.QueuePair#attachMulticast}.
     *
     * @param group an IP address of a group, which is in 224.0.0.0 to 239.255.255.255 or in ff00::/8, and whose port is
     *     ignored; or, on InfiniBand, the GID of a group as an
     *     {@link io.github.rdma4j.cm.IbSocketAddress}. A host's address is not refused: on InfiniBand, the kernel takes
     *     the low 28 bits of any IPv4 address for the group, so 10.77.0.9 is the group 234.77.0.9
     * @param mode whether the id receives the datagrams sent to the group
     * @throws IllegalArgumentException if the id is not a datagram id
     * @throws UnresolvedNameException if the group is a host name that did not resolve
     * @throws IllegalStateException if the id is not bound to a device, or its route is already resolved
     * @throws ErrnoException EINVAL for a wildcard address; ENOTSUPP (524) or EOPNOTSUPP for a group that the device
     *     cannot join, such as an IPv6 group or a GID on soft-RoCE
     */
    public GroupMembership join(SocketAddress group, GroupMembership.Mode mode) throws RdmaException {
        return begin(group, mode, null);
    }

    /**
     * Like {@link #join(SocketAddress, GroupMembership.Mode)}, with an arbitrary object that {@link
     * GroupMembership#context} returns.
     */
    public GroupMembership join(SocketAddress group, GroupMembership.Mode mode, Object context) throws RdmaException {
        return begin(group, mode, Objects.requireNonNull(context, "context"));
    }

    private GroupMembership begin(SocketAddress group, GroupMembership.Mode mode, @Nullable Object context)
            throws RdmaException {
        Arguments.requireResolved(group);
        if (!core.isDatagram()) {
            throw new IllegalArgumentException(
                    core + " cannot join a multicast group: use an id of PortSpace.UDP or PortSpace.IPOIB");
        }
        GroupMembership membership = new GroupMembership(this, EventChannel.newUid(), group, mode, context);
        core.command(CmCommand.JOIN_MULTICAST, () -> {
            binding.requireDevice();
            join(membership);
        });
        return membership;
    }

    private void join(GroupMembership membership) throws RdmaException {
        Retrieval on = current.channel;
        on.add(membership.uid(), membership.sink());
        JoinMcastCommand command = new JoinMcastCommand(
                membership.uid(), core.handle(), membership.mode().code(), membership.group());
        membership.joined(Undo.onFailure(
                () -> core.ucm()
                        .send(UcmCommand.JOIN_MCAST, membership.group(), command::encode)
                        .id(),
                () -> on.forget(membership.uid())));
        joined.add(0, membership);
        held.add(0, membership);
    }

    /**
     * Leaves the most recent membership of the given address and port ({@code rdma_leave_multicast(3)}), and detaches
     * the queue pair unless another membership has the same group GID. A join that is not complete is cancelled. No
     * further event of the membership is delivered; datagrams that were already received can still be polled. After the
     * device has been removed, the method still succeeds, and the kernel ends its part of the membership when the id is
     * closed.
     *
     * <p>If an id has several memberships of one address, the kernel can end only the newest.
     * {@link GroupMembership#close} of an older membership stops its events and, if no other membership receives,
     * detaches the queue pair immediately. The host stays subscribed until the newer memberships are closed too.
     *
     * @throws ErrnoException EADDRNOTAVAIL if the id has no membership of the group
     */
    public void leave(SocketAddress group) throws RdmaException {
        Optional<GroupMembership> found = joined.stream()
                .filter(membership -> IdAddresses.isSame(membership.group(), group))
                .findFirst();
        if (found.isEmpty()) {
            throw new ErrnoException("leaving " + group + " by " + core, Errno.EADDRNOTAVAIL);
        }
        leave(found.get());
    }

    /** Returns the memberships that were joined and not left, newest first. */
    public List<GroupMembership> memberships() {
        return List.copyOf(joined);
    }

    void leave(GroupMembership membership) throws RdmaException {
        core.lock.lock();
        try {
            if (core.isClosed() || !joined.remove(membership)) {
                return;
            }
            current.channel.forget(membership.uid());
            try {
                membership.detach();
            } finally {
                release(membership.group());
            }
        } catch (ErrnoException e) {
            if (!e.errno().equals(Errno.ENXIO) && core.state() != CmState.DEVICE_REMOVED) {
                throw e;
            }
            // the device was removed, so the kernel rejects LEAVE_MCAST: the membership ends with the id
        } finally {
            core.lock.unlock();
        }
    }

    /**
     * Leaves every membership of the group that the kernel can end now. The kernel identifies a membership by its
     * address, not by its handle: it ends the newest membership of that address. An older membership can therefore only
     * end after all newer ones.
     */
    private void release(SocketAddress group) throws RdmaException {
        for (Iterator<GroupMembership> all = held.iterator(); all.hasNext(); ) {
            GroupMembership newest = all.next();
            if (!IdAddresses.isSame(newest.group(), group)) {
                continue;
            }
            if (joined.contains(newest)) {
                return;
            }
            all.remove();
            core.ucm().send(UcmCommand.LEAVE_MCAST, new DestroyIdCommand(newest.handle())::encode);
        }
    }

    boolean isWanted(Gid mgid) {
        return joined.stream().anyMatch(other -> other.isAttached() && Objects.equals(other.mgid(), mgid));
    }

    CmId id() {
        return id;
    }

    /** Returns the queue pair that receives the datagrams of the groups; null if there is none. */
    @Nullable
    QueuePair qp() {
        return qp.get();
    }

    boolean hasLeft(GroupMembership membership) {
        return !joined.contains(membership);
    }

    /** Returns the sinks of the events of the memberships, by uid. */
    Map<Long, EventSink> sinks() {
        // The usual case, at every creation and close of an id.
        return joined.isEmpty()
                ? Map.of()
                : joined.stream().collect(Collectors.toMap(GroupMembership::uid, GroupMembership::sink));
    }
}
