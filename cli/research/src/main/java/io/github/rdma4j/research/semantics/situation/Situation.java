// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import static io.github.rdma4j.research.semantics.situation.Traits.Trait.DATAGRAM;
import static io.github.rdma4j.research.semantics.situation.Traits.Trait.ENDING;
import static io.github.rdma4j.research.semantics.situation.Traits.Trait.IB;
import static io.github.rdma4j.research.semantics.situation.Traits.Trait.INFINIBAND;
import static io.github.rdma4j.research.semantics.situation.Traits.Trait.IPOIB;
import static io.github.rdma4j.research.semantics.situation.Traits.Trait.REMOVAL;
import static io.github.rdma4j.research.semantics.situation.Traits.Trait.SILENCE;
import static io.github.rdma4j.research.semantics.situation.Traits.Trait.SLOW;
import static io.github.rdma4j.research.semantics.situation.Traits.active;
import static io.github.rdma4j.research.semantics.situation.Traits.passive;

import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.guest.KernelSeries;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The situations of an id in the kernel that can be reached on a device in software, RoCE or InfiniBand. */
public enum Situation {
    IDLE(CmState.IDLE, "created", active(), Drive::idle),
    IDLE_UID_0(null, "created with the uid 0", active(), Drive::anonymous),
    IDLE_UDP(CmState.IDLE, "created, PS_UDP", active(DATAGRAM), Drive::idle),
    IDLE_IPOIB(CmState.IDLE, "created, PS_IPOIB", active(IPOIB), Drive::idle),
    IDLE_IB(CmState.IDLE, "created, PS_IB", active(IB), Drive::idle),
    BOUND(CmState.BOUND, "bound to the device's address", active(), Drive::bound),
    BOUND_V6(CmState.BOUND, "bound to the device's IPv6 address", active(), Drive::boundV6),
    BOUND_ANY(CmState.BOUND, "bound to 0.0.0.0", active(), Drive::boundAny),
    BOUND_LOOPBACK(CmState.BOUND, "bound to 127.0.0.1", active(), Drive::boundLoopback),
    RESOLVING_ADDRESS(CmState.RESOLVING_ADDRESS, "looks for an address that nobody has", active(), Drive::resolving),
    ADDRESS_ERROR(CmState.BOUND, "has not found that address", active(), Drive::addressError),
    ADDRESS_RESOLVED_UNSEEN(
            CmState.RESOLVING_ADDRESS, "address resolved, not fetched yet", active(), Drive::addressResolvedUnseen),
    ADDRESS_RESOLVED(CmState.ADDRESS_RESOLVED, "address resolved", active(), Drive::addressResolved),
    ADDRESS_RESOLVED_LOOPBACK(CmState.ADDRESS_RESOLVED, "127.0.0.1 resolved", active(), Drive::addressResolvedLoopback),
    ROUTE_RESOLVED_UNSEEN(
            CmState.RESOLVING_ROUTE, "route resolved, not fetched yet", active(), Drive::routeResolvedUnseen),
    ROUTE_RESOLVED(CmState.ROUTE_RESOLVED, "route resolved", active(), Drive::routeResolved),
    LISTENING(CmState.LISTENING, "listens at the device's address", passive(), Drive::listening),
    LISTENING_ANY(CmState.LISTENING, "listens at 0.0.0.0", passive(), Drive::listeningAny),
    LISTENING_UNBOUND(CmState.LISTENING, "listens without having been bound", passive(), Drive::listeningUnbound),

    CONNECTING(CmState.CONNECTING, "request sent", active(ENDING), Drive::connecting),
    REJECTED_UNSEEN(CmState.CONNECTING, "rejected, not fetched yet", active(ENDING), Drive::refusedUnseen),
    RESPONDED_UNSEEN(CmState.CONNECTING, "response arrived, not fetched yet", active(ENDING), Drive::accepting),
    RESPONDED(CmState.RESPONDED, "response arrived", active(ENDING), Drive::responded),
    RESPONDED_PEER_GONE(
            CmState.RESPONDED,
            "response arrived, then the peer was destroyed, not fetched yet",
            active(ENDING),
            Drive::respondedAndGone),
    RESPONDED_DISCONNECTED(
            CmState.DISCONNECTING,
            "response arrived, then disconnected",
            active(ENDING),
            Drive::respondedAndDisconnected),
    REJECTED(CmState.REFUSED, "rejected by the peer", active(ENDING), Drive::refused),
    REJECTED_BY_NOBODY(CmState.REFUSED, "rejected, for nobody listens", active(ENDING), Drive::refusedByNobody),
    RESPONSE_REJECTED(CmState.REFUSED, "has rejected the response", active(ENDING), Drive::respondedAndRejected),
    UNREACHABLE(CmState.FAILED, "request never answered", active(SLOW), Drive::unreachable),
    REQUESTED(CmState.REQUESTED, "child, request not answered", passive(ENDING), Drive::requested),
    REQUESTED_PEER_GONE(
            CmState.REQUESTED,
            "child, request not answered, and the peer was destroyed",
            passive(ENDING),
            Drive::requestedByNobody),
    ACCEPTING(CmState.ACCEPTING, "child, accepted", passive(ENDING), Drive::responded),
    ACCEPTING_DISCONNECTED(
            CmState.DISCONNECTING,
            "child, accepted, then disconnected",
            passive(ENDING),
            Drive::acceptingAndDisconnected),
    CHILD_REJECTED(CmState.REFUSED, "child, has rejected", passive(ENDING), Drive::refused),
    ACCEPTED_REJECTED(
            CmState.REFUSED,
            "child, accepted, then rejected by the peer",
            passive(ENDING),
            Drive::respondedAndRejected),
    ESTABLISHED(CmState.ESTABLISHED, "established, active", active(ENDING), Drive::established),
    ESTABLISHED_CHILD_UNSEEN(
            CmState.ACCEPTING, "established, passive, not fetched yet", passive(ENDING), Drive::establishedUnseen),
    ESTABLISHED_CHILD(CmState.ESTABLISHED, "established, passive", passive(ENDING), Drive::established),
    DISCONNECTING(CmState.DISCONNECTING, "has disconnected, the peer has not", active(ENDING), Drive::disconnecting),
    DISCONNECTING_CHILD(
            CmState.DISCONNECTING,
            "child, has disconnected, the peer has not",
            passive(ENDING),
            Drive::disconnectingPassive),
    DISCONNECTED_UNSEEN(
            CmState.ESTABLISHED,
            "child, the peer has disconnected, not fetched yet",
            passive(ENDING),
            Drive::disconnectingUnseen),
    DISCONNECTED(CmState.DISCONNECTED, "the peer has disconnected", active(ENDING), Drive::disconnectingPassive),
    DISCONNECTED_CHILD(CmState.DISCONNECTED, "child, the peer has disconnected", passive(ENDING), Drive::disconnecting),
    TIME_WAIT(CmState.DISCONNECTED, "both have disconnected, this one first", active(ENDING), Drive::disconnected),
    TIME_WAIT_CHILD(
            CmState.DISCONNECTED,
            "child, both have disconnected, the peer first",
            passive(ENDING),
            Drive::disconnected),
    TIME_WAIT_OVER(CmState.DISCONNECTED, "time-wait is over", active(ENDING), Drive::timeWaitOver),
    TIME_WAIT_OVER_CHILD(CmState.DISCONNECTED, "child, time-wait is over", passive(ENDING), Drive::timeWaitOver),

    UD_BOUND(CmState.BOUND, "datagrams: bound", active(DATAGRAM), Drive::bound),
    UD_ADDRESS_RESOLVED(
            CmState.ADDRESS_RESOLVED, "datagrams: address resolved", active(DATAGRAM), Drive::addressResolved),
    UD_ROUTE_RESOLVED(CmState.ROUTE_RESOLVED, "datagrams: route resolved", active(DATAGRAM), Drive::routeResolved),
    UD_LISTENING(CmState.LISTENING, "datagrams: listens", passive(DATAGRAM), Drive::listening),
    UD_CONNECTING(CmState.CONNECTING, "datagrams: request sent", active(DATAGRAM, ENDING), Drive::connecting),
    UD_ESTABLISHED_UNSEEN(
            CmState.CONNECTING,
            "datagrams: accepted by the peer, not fetched yet",
            active(DATAGRAM, ENDING),
            Drive::accepting),
    UD_ESTABLISHED(
            CmState.ESTABLISHED,
            "datagrams: accepted by the peer",
            active(DATAGRAM, ENDING),
            Drive::datagramEstablished),
    UD_REJECTED(CmState.FAILED, "datagrams: rejected by the peer", active(DATAGRAM, ENDING), Drive::refused),
    UD_REJECTED_BY_NOBODY(
            CmState.FAILED,
            "datagrams: rejected, for nobody listens",
            active(DATAGRAM, ENDING),
            Drive::refusedByNobody),
    UD_UNREACHABLE(CmState.FAILED, "datagrams: request never answered", active(DATAGRAM, SLOW), Drive::unreachable),
    UD_REQUESTED(
            CmState.REQUESTED, "datagrams: child, request not answered", passive(DATAGRAM, ENDING), Drive::requested),
    UD_ACCEPTED(
            CmState.ESTABLISHED, "datagrams: child, accepted", passive(DATAGRAM, ENDING), Drive::datagramEstablished),
    UD_CHILD_REJECTED(CmState.REFUSED, "datagrams: child, has rejected", passive(DATAGRAM, ENDING), Drive::refused),
    UD_JOINED_UNSEEN(CmState.BOUND, "multicast: joined, not fetched yet", active(DATAGRAM), Drive::joinedUnseen),
    UD_JOINED(CmState.BOUND, "multicast: joined", active(DATAGRAM), Drive::joined),
    UD_LEFT(CmState.BOUND, "multicast: joined and left", active(DATAGRAM), Drive::left),

    MIGRATED(null, "route resolved, migrated, spoken to through the old descriptor", active(), Drive::migrated),
    MIGRATED_FOLLOWED(
            CmState.ROUTE_RESOLVED,
            "route resolved, migrated, spoken to through the new descriptor",
            active(),
            Drive::migratedAndFollowed),
    DESTROYED(CmState.DESTROYED, "destroyed", active(), Drive::destroyed),
    NEVER_CREATED(null, "a number that was never an id's", active(), Drive::neverCreated),

    RESOLVING_ROUTE(
            CmState.RESOLVING_ROUTE,
            "InfiniBand: has asked the subnet manager, which is silent",
            active(INFINIBAND, SILENCE),
            Drive::resolvingRoute),
    ROUTE_ERROR(
            CmState.ADDRESS_RESOLVED,
            "InfiniBand: the subnet manager knows no path",
            active(INFINIBAND),
            Drive::routeError),
    UD_JOIN_FAILED(
            CmState.BOUND,
            "InfiniBand: the subnet manager has refused a join",
            active(DATAGRAM, INFINIBAND),
            Drive::joinFailed),

    REMOVED_BOUND(CmState.DEVICE_REMOVED, "device removed: was bound", active(REMOVAL), Drive::bound),
    REMOVED_ADDRESS_RESOLVED(
            CmState.DEVICE_REMOVED,
            "device removed: had resolved the address",
            active(REMOVAL),
            Drive::addressResolved),
    REMOVED_ROUTE_RESOLVED(
            CmState.DEVICE_REMOVED, "device removed: had resolved the route", active(REMOVAL), Drive::routeResolved),
    REMOVED_LISTENING(
            CmState.DEVICE_REMOVED,
            "device removed: listened at the device's address",
            passive(REMOVAL),
            Drive::listening),
    REMOVED_LISTENING_ANY(
            CmState.LISTENING, "device removed: listens at 0.0.0.0", passive(REMOVAL), Drive::listeningAny),
    REMOVED_CONNECTING(CmState.DEVICE_REMOVED, "device removed: was connecting", active(REMOVAL), Drive::requested),
    REMOVED_REQUESTED(
            CmState.REQUESTED, "device removed: child, request not answered", passive(REMOVAL), Drive::requested),
    REMOVED_ESTABLISHED(CmState.DEVICE_REMOVED, "device removed: was established", active(REMOVAL), Drive::established),
    REMOVED_UD_BOUND(
            CmState.DEVICE_REMOVED, "device removed: datagrams, was bound", active(DATAGRAM, REMOVAL), Drive::bound),
    REMOVED_UD_JOINED(
            CmState.DEVICE_REMOVED,
            "device removed: had joined a multicast group",
            active(DATAGRAM, REMOVAL),
            Drive::joined);

    /** Takes the cells of a world into the situation. */
    @FunctionalInterface
    interface Driver {
        void drive(World world) throws RdmaException, InterruptedException;
    }

    private final @Nullable CmState state;
    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // a record of values
    private final Traits traits;

    @SuppressWarnings("ImmutableEnumChecker") // a method without state
    private final Driver driver;

    Situation(@Nullable CmState state, String title, Traits traits, Driver driver) {
        this.state = state;
        this.title = title;
        this.traits = traits;
        this.driver = driver;
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

    /** The port space of the ids. */
    public int portSpace() {
        return traits.portSpace();
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
        return traits.has(INFINIBAND);
    }

    boolean activeIsMeasured() {
        return traits.activeIsMeasured();
    }

    /**
     * Whether a removal of the device causes DEVICE_REMOVAL: not for an id without a uid, nor for an id without a
     * device.
     */
    boolean hearsOfRemoval() {
        return traits.has(REMOVAL) && state == CmState.DEVICE_REMOVED;
    }

    /**
     * The commands after which destroying the id takes a minute or more, for the kernel forgets to stop its retries.
     */
    Set<Command> cloggedBy() {
        boolean awaitsAnswer = this == CONNECTING || this == ACCEPTING || this == ACCEPTING_DISCONNECTED;
        return awaitsAnswer ? EnumSet.of(Command.ACCEPT, Command.ESTABLISH, Command.REJECT) : Set.of();
    }

    Traits traits() {
        return traits;
    }

    void drive(World world) throws RdmaException, InterruptedException {
        driver.drive(world);
    }
}
