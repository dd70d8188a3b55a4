// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import static io.github.rdma4j.research.semantics.situation.Situation.Trait.DATAGRAM;
import static io.github.rdma4j.research.semantics.situation.Situation.Trait.ENDING;
import static io.github.rdma4j.research.semantics.situation.Situation.Trait.IB;
import static io.github.rdma4j.research.semantics.situation.Situation.Trait.INFINIBAND;
import static io.github.rdma4j.research.semantics.situation.Situation.Trait.IPOIB;
import static io.github.rdma4j.research.semantics.situation.Situation.Trait.PASSIVE;
import static io.github.rdma4j.research.semantics.situation.Situation.Trait.REMOVAL;
import static io.github.rdma4j.research.semantics.situation.Situation.Trait.SILENCE;
import static io.github.rdma4j.research.semantics.situation.Situation.Trait.SLOW;

import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.KernelSeries;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The situations of an id in the kernel that can be reached on a device in software, RoCE or InfiniBand. */
public enum Situation {
    IDLE(CmState.IDLE, "created", Way.IDLE),
    IDLE_UID_0(null, "created with the uid 0", Way.ANONYMOUS),
    IDLE_UDP(CmState.IDLE, "created, PS_UDP", Way.IDLE, DATAGRAM),
    IDLE_IPOIB(CmState.IDLE, "created, PS_IPOIB", Way.IDLE, IPOIB),
    IDLE_IB(CmState.IDLE, "created, PS_IB", Way.IDLE, IB),
    BOUND(CmState.BOUND, "bound to the device's address", Way.BOUND),
    BOUND_V6(CmState.BOUND, "bound to the device's IPv6 address", Way.BOUND_V6),
    BOUND_ANY(CmState.BOUND, "bound to 0.0.0.0", Way.BOUND_ANY),
    BOUND_LOOPBACK(CmState.BOUND, "bound to 127.0.0.1", Way.BOUND_LOOPBACK),
    RESOLVING_ADDRESS(CmState.RESOLVING_ADDRESS, "looks for an address that nobody has", Way.RESOLVING),
    ADDRESS_ERROR(CmState.BOUND, "has not found that address", Way.ADDRESS_ERROR),
    ADDRESS_RESOLVED_UNSEEN(
            CmState.RESOLVING_ADDRESS, "address resolved, not fetched yet", Way.ADDRESS_RESOLVED_UNSEEN),
    ADDRESS_RESOLVED(CmState.ADDRESS_RESOLVED, "address resolved", Way.ADDRESS_RESOLVED),
    ADDRESS_RESOLVED_LOOPBACK(CmState.ADDRESS_RESOLVED, "127.0.0.1 resolved", Way.ADDRESS_RESOLVED_LOOPBACK),
    ROUTE_RESOLVED_UNSEEN(CmState.RESOLVING_ROUTE, "route resolved, not fetched yet", Way.ROUTE_RESOLVED_UNSEEN),
    ROUTE_RESOLVED(CmState.ROUTE_RESOLVED, "route resolved", Way.ROUTE_RESOLVED),
    LISTENING(CmState.LISTENING, "listens at the device's address", Way.LISTENING, PASSIVE),
    LISTENING_ANY(CmState.LISTENING, "listens at 0.0.0.0", Way.LISTENING_ANY, PASSIVE),
    LISTENING_UNBOUND(CmState.LISTENING, "listens without having been bound", Way.LISTENING_UNBOUND, PASSIVE),

    CONNECTING(CmState.CONNECTING, "request sent", Way.CONNECTING, ENDING),
    REJECTED_UNSEEN(CmState.CONNECTING, "rejected, not fetched yet", Way.REFUSED_UNSEEN, ENDING),
    RESPONDED_UNSEEN(CmState.CONNECTING, "response arrived, not fetched yet", Way.ACCEPTING, ENDING),
    RESPONDED(CmState.RESPONDED, "response arrived", Way.RESPONDED, ENDING),
    RESPONDED_PEER_GONE(
            CmState.RESPONDED,
            "response arrived, then the peer was destroyed, not fetched yet",
            Way.RESPONDED_AND_GONE,
            ENDING),
    RESPONDED_DISCONNECTED(
            CmState.DISCONNECTING, "response arrived, then disconnected", Way.RESPONDED_AND_DISCONNECTED, ENDING),
    REJECTED(CmState.REFUSED, "rejected by the peer", Way.REFUSED, ENDING),
    REJECTED_BY_NOBODY(CmState.REFUSED, "rejected, for nobody listens", Way.REFUSED_BY_NOBODY, ENDING),
    RESPONSE_REJECTED(CmState.REFUSED, "has rejected the response", Way.RESPONDED_AND_REJECTED, ENDING),
    UNREACHABLE(CmState.FAILED, "request never answered", Way.UNREACHABLE, SLOW),
    REQUESTED(CmState.REQUESTED, "child, request not answered", Way.REQUESTED, PASSIVE, ENDING),
    REQUESTED_PEER_GONE(
            CmState.REQUESTED,
            "child, request not answered, and the peer was destroyed",
            Way.REQUESTED_BY_NOBODY,
            PASSIVE,
            ENDING),
    ACCEPTING(CmState.ACCEPTING, "child, accepted", Way.RESPONDED, PASSIVE, ENDING),
    ACCEPTING_DISCONNECTED(
            CmState.DISCONNECTING,
            "child, accepted, then disconnected",
            Way.ACCEPTING_AND_DISCONNECTED,
            PASSIVE,
            ENDING),
    CHILD_REJECTED(CmState.REFUSED, "child, has rejected", Way.REFUSED, PASSIVE, ENDING),
    ACCEPTED_REJECTED(
            CmState.REFUSED, "child, accepted, then rejected by the peer", Way.RESPONDED_AND_REJECTED, PASSIVE, ENDING),
    ESTABLISHED(CmState.ESTABLISHED, "established, active", Way.ESTABLISHED, ENDING),
    ESTABLISHED_CHILD_UNSEEN(
            CmState.ACCEPTING, "established, passive, not fetched yet", Way.ESTABLISHED_UNSEEN, PASSIVE, ENDING),
    ESTABLISHED_CHILD(CmState.ESTABLISHED, "established, passive", Way.ESTABLISHED, PASSIVE, ENDING),
    DISCONNECTING(CmState.DISCONNECTING, "has disconnected, the peer has not", Way.DISCONNECTING, ENDING),
    DISCONNECTING_CHILD(
            CmState.DISCONNECTING,
            "child, has disconnected, the peer has not",
            Way.DISCONNECTING_PASSIVE,
            PASSIVE,
            ENDING),
    DISCONNECTED_UNSEEN(
            CmState.ESTABLISHED,
            "child, the peer has disconnected, not fetched yet",
            Way.DISCONNECTING_UNSEEN,
            PASSIVE,
            ENDING),
    DISCONNECTED(CmState.DISCONNECTED, "the peer has disconnected", Way.DISCONNECTING_PASSIVE, ENDING),
    DISCONNECTED_CHILD(CmState.DISCONNECTED, "child, the peer has disconnected", Way.DISCONNECTING, PASSIVE, ENDING),
    TIME_WAIT(CmState.DISCONNECTED, "both have disconnected, this one first", Way.DISCONNECTED, ENDING),
    TIME_WAIT_CHILD(
            CmState.DISCONNECTED, "child, both have disconnected, the peer first", Way.DISCONNECTED, PASSIVE, ENDING),
    TIME_WAIT_OVER(CmState.DISCONNECTED, "time-wait is over", Way.TIME_WAIT_OVER, ENDING),
    TIME_WAIT_OVER_CHILD(CmState.DISCONNECTED, "child, time-wait is over", Way.TIME_WAIT_OVER, PASSIVE, ENDING),

    UD_BOUND(CmState.BOUND, "datagrams: bound", Way.BOUND, DATAGRAM),
    UD_ADDRESS_RESOLVED(CmState.ADDRESS_RESOLVED, "datagrams: address resolved", Way.ADDRESS_RESOLVED, DATAGRAM),
    UD_ROUTE_RESOLVED(CmState.ROUTE_RESOLVED, "datagrams: route resolved", Way.ROUTE_RESOLVED, DATAGRAM),
    UD_LISTENING(CmState.LISTENING, "datagrams: listens", Way.LISTENING, PASSIVE, DATAGRAM),
    UD_CONNECTING(CmState.CONNECTING, "datagrams: request sent", Way.CONNECTING, DATAGRAM, ENDING),
    UD_ESTABLISHED_UNSEEN(
            CmState.CONNECTING, "datagrams: accepted by the peer, not fetched yet", Way.ACCEPTING, DATAGRAM, ENDING),
    UD_ESTABLISHED(CmState.ESTABLISHED, "datagrams: accepted by the peer", Way.DATAGRAM_ESTABLISHED, DATAGRAM, ENDING),
    UD_REJECTED(CmState.FAILED, "datagrams: rejected by the peer", Way.REFUSED, DATAGRAM, ENDING),
    UD_REJECTED_BY_NOBODY(
            CmState.FAILED, "datagrams: rejected, for nobody listens", Way.REFUSED_BY_NOBODY, DATAGRAM, ENDING),
    UD_UNREACHABLE(CmState.FAILED, "datagrams: request never answered", Way.UNREACHABLE, DATAGRAM, SLOW),
    UD_REQUESTED(CmState.REQUESTED, "datagrams: child, request not answered", Way.REQUESTED, PASSIVE, DATAGRAM, ENDING),
    UD_ACCEPTED(CmState.ESTABLISHED, "datagrams: child, accepted", Way.DATAGRAM_ESTABLISHED, PASSIVE, DATAGRAM, ENDING),
    UD_CHILD_REJECTED(CmState.REFUSED, "datagrams: child, has rejected", Way.REFUSED, PASSIVE, DATAGRAM, ENDING),
    UD_JOINED_UNSEEN(CmState.BOUND, "multicast: joined, not fetched yet", Way.JOINED_UNSEEN, DATAGRAM),
    UD_JOINED(CmState.BOUND, "multicast: joined", Way.JOINED, DATAGRAM),
    UD_LEFT(CmState.BOUND, "multicast: joined and left", Way.LEFT, DATAGRAM),

    MIGRATED(null, "route resolved, migrated, spoken to through the old descriptor", Way.MIGRATED),
    MIGRATED_FOLLOWED(
            CmState.ROUTE_RESOLVED,
            "route resolved, migrated, spoken to through the new descriptor",
            Way.MIGRATED_AND_FOLLOWED),
    DESTROYED(CmState.DESTROYED, "destroyed", Way.DESTROYED),
    NEVER_CREATED(null, "a number that was never an id's", Way.NEVER_CREATED),

    RESOLVING_ROUTE(
            CmState.RESOLVING_ROUTE,
            "InfiniBand: has asked the subnet manager, which is silent",
            Way.RESOLVING_ROUTE,
            INFINIBAND,
            SILENCE),
    ROUTE_ERROR(CmState.ADDRESS_RESOLVED, "InfiniBand: the subnet manager knows no path", Way.ROUTE_ERROR, INFINIBAND),
    UD_JOIN_FAILED(
            CmState.BOUND, "InfiniBand: the subnet manager has refused a join", Way.JOIN_FAILED, DATAGRAM, INFINIBAND),

    REMOVED_BOUND(CmState.DEVICE_REMOVED, "device removed: was bound", Way.BOUND, REMOVAL),
    REMOVED_ADDRESS_RESOLVED(
            CmState.DEVICE_REMOVED, "device removed: had resolved the address", Way.ADDRESS_RESOLVED, REMOVAL),
    REMOVED_ROUTE_RESOLVED(
            CmState.DEVICE_REMOVED, "device removed: had resolved the route", Way.ROUTE_RESOLVED, REMOVAL),
    REMOVED_LISTENING(
            CmState.DEVICE_REMOVED,
            "device removed: listened at the device's address",
            Way.LISTENING,
            PASSIVE,
            REMOVAL),
    REMOVED_LISTENING_ANY(CmState.LISTENING, "device removed: listens at 0.0.0.0", Way.LISTENING_ANY, PASSIVE, REMOVAL),
    REMOVED_CONNECTING(CmState.DEVICE_REMOVED, "device removed: was connecting", Way.REQUESTED, REMOVAL),
    REMOVED_REQUESTED(
            CmState.REQUESTED, "device removed: child, request not answered", Way.REQUESTED, PASSIVE, REMOVAL),
    REMOVED_ESTABLISHED(CmState.DEVICE_REMOVED, "device removed: was established", Way.ESTABLISHED, REMOVAL),
    REMOVED_UD_BOUND(CmState.DEVICE_REMOVED, "device removed: datagrams, was bound", Way.BOUND, DATAGRAM, REMOVAL),
    REMOVED_UD_JOINED(
            CmState.DEVICE_REMOVED, "device removed: had joined a multicast group", Way.JOINED, DATAGRAM, REMOVAL);

    /** A property of a situation. The port space is PS_TCP unless a trait names another one. */
    enum Trait {
        /** The id is the one that listens or is asked, as opposed to the one that connects. */
        PASSIVE,
        /** The ids are of PS_UDP. */
        DATAGRAM,
        /** The ids are of PS_IPOIB. */
        IPOIB,
        /** The ids are of PS_IB. */
        IB,
        /** The situation is recorded at once, but a timer may cause events afterwards. */
        ENDING,
        /** The situation is reached after a minute or two, so only the recorder records it. */
        SLOW,
        /** The situation is recorded on InfiniBand only. */
        INFINIBAND,
        /** The subnet manager gives no answers meanwhile. */
        SILENCE,
        /** The situation is recorded while the device is removed, as the last one. */
        REMOVAL
    }

    private final @Nullable CmState state;
    private final String title;
    final Way way;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable set
    private final Set<Trait> traits;

    Situation(@Nullable CmState state, String title, Way way, Trait... traits) {
        this.state = state;
        this.title = title;
        this.way = way;
        this.traits = Set.of(traits);
    }

    /** The library's state of the id; null if the library has no such id or would not use it like that. */
    @Nullable
    public CmState state() {
        return state;
    }

    /** A phrase that describes the situation. */
    public String title() {
        return title;
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** Whether the situation is recorded at once, and nothing follows later. */
    boolean isPlain() {
        return !has(SILENCE) && !has(ENDING) && !has(SLOW) && !has(REMOVAL);
    }

    /** The port space of the ids. */
    public PortSpace portSpace() {
        if (has(DATAGRAM)) {
            return PortSpace.UDP;
        }
        if (has(IPOIB)) {
            return PortSpace.IPOIB;
        }
        return has(IB) ? PortSpace.IB : PortSpace.TCP;
    }

    /** The device's address of the family that the ids have. */
    String host() {
        return this == BOUND_V6 ? Adapter.IPV6 : Adapter.IPV4;
    }

    /** Whether the situation can be reached with the link layer of this kernel series. */
    public boolean appliesTo(String series) {
        return !isOfInfiniBandOnly() || KernelSeries.isInfiniBand(series);
    }

    /** Whether it takes a subnet manager. */
    public boolean isOfInfiniBandOnly() {
        return has(INFINIBAND);
    }

    /**
     * Whether a removal of the device causes DEVICE_REMOVAL: not for an id without a uid, nor for an id without a
     * device.
     */
    boolean hearsOfRemoval() {
        return has(REMOVAL) && state == CmState.DEVICE_REMOVED;
    }

    /**
     * The commands after which destroying the id takes a minute or more, for the kernel forgets to stop its retries.
     */
    Set<Command> cloggedBy() {
        boolean awaitsAnswer = this == CONNECTING || this == ACCEPTING || this == ACCEPTING_DISCONNECTED;
        return awaitsAnswer ? EnumSet.of(Command.ACCEPT, Command.ESTABLISH, Command.REJECT) : Set.of();
    }

    /** The commands of the situation whose clean-up takes no time. */
    List<Command> quickCommands() {
        return Stream.of(Command.values())
                .filter(command -> !cloggedBy().contains(command))
                .toList();
    }
}
