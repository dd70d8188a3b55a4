// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.situation;

import static io.github.rdma4j.lab.semantics.situation.Traits.active;
import static io.github.rdma4j.lab.semantics.situation.Traits.passive;

import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.lab.semantics.guest.Rxe;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where an id can stand in the kernel, as far as it can be brought there on a soft-RoCE device. */
public enum Situation {
    IDLE(CmState.IDLE, "created", active(), Drive::idle),
    IDLE_UID_0(null, "created with the uid 0", active(), Drive::anonymous),
    IDLE_UDP(CmState.IDLE, "created, PS_UDP", active().datagram(), Drive::idle),
    IDLE_IPOIB(CmState.IDLE, "created, PS_IPOIB", active().in(PortSpace.IPOIB.code()), Drive::idle),
    IDLE_IB(CmState.IDLE, "created, PS_IB", active().in(PortSpace.IB.code()), Drive::idle),
    BOUND(CmState.BOUND, "bound to the device's address", active(), Drive::bound),
    BOUND_V6(CmState.BOUND, "bound to the device's IPv6 address", active(), Drive::boundV6),
    BOUND_ANY(CmState.BOUND, "bound to 0.0.0.0", active(), Drive::boundAny),
    BOUND_LOOPBACK(CmState.BOUND, "bound to 127.0.0.1", active(), Drive::boundLoopback),
    RESOLVING_ADDRESS(CmState.RESOLVING_ADDRESS, "looks for an address that nobody has", active(), Drive::resolving),
    ADDRESS_ERROR(CmState.BOUND, "has not found that address", active(), Drive::addressError),
    ADDRESS_RESOLVED_UNSEEN(
            CmState.RESOLVING_ADDRESS,
            "address resolved, not fetched yet",
            active().ahead(),
            Drive::addressResolvedUnseen),
    ADDRESS_RESOLVED(CmState.ADDRESS_RESOLVED, "address resolved", active(), Drive::addressResolved),
    ADDRESS_RESOLVED_LOOPBACK(CmState.ADDRESS_RESOLVED, "127.0.0.1 resolved", active(), Drive::addressResolvedLoopback),
    ROUTE_RESOLVED_UNSEEN(
            CmState.RESOLVING_ROUTE, "route resolved, not fetched yet", active().ahead(), Drive::routeResolvedUnseen),
    ROUTE_RESOLVED(CmState.ROUTE_RESOLVED, "route resolved", active(), Drive::routeResolved),
    LISTENING(CmState.LISTENING, "listens at the device's address", passive(), Drive::listening),
    LISTENING_ANY(CmState.LISTENING, "listens at 0.0.0.0", passive(), Drive::listeningAny),
    LISTENING_UNBOUND(CmState.LISTENING, "listens without having been bound", passive(), Drive::listeningUnbound),

    CONNECTING(CmState.CONNECTING, "request sent", active().ending(), Drive::connecting),
    REJECTED_UNSEEN(
            CmState.CONNECTING, "rejected, not fetched yet", active().ending().ahead(), Drive::refusedUnseen),
    RESPONDED_UNSEEN(
            CmState.CONNECTING,
            "response arrived, not fetched yet",
            active().ending().ahead(),
            Drive::accepting),
    RESPONDED(CmState.RESPONDED, "response arrived", active().ending(), Drive::responded),
    RESPONDED_PEER_GONE(
            CmState.RESPONDED,
            "response arrived, then the peer was destroyed, not fetched yet",
            active().ending().ahead(),
            Drive::respondedAndGone),
    RESPONDED_DISCONNECTED(
            CmState.DISCONNECTING,
            "response arrived, then disconnected",
            active().ending(),
            Drive::respondedAndDisconnected),
    REJECTED(CmState.REFUSED, "rejected by the peer", active().ending(), Drive::refused),
    REJECTED_BY_NOBODY(CmState.REFUSED, "rejected, for nobody listens", active().ending(), Drive::refusedByNobody),
    RESPONSE_REJECTED(CmState.REFUSED, "has rejected the response", active().ending(), Drive::respondedAndRejected),
    UNREACHABLE(CmState.FAILED, "request never answered", active().slow(), Drive::unreachable),
    REQUESTED(CmState.REQUESTED, "child, request not answered", passive().ending(), Drive::requested),
    REQUESTED_PEER_GONE(
            CmState.REQUESTED,
            "child, request not answered, and the peer was destroyed",
            passive().ending().ahead(),
            Drive::requestedByNobody),
    ACCEPTING(CmState.ACCEPTING, "child, accepted", passive().ending(), Drive::responded),
    ACCEPTING_DISCONNECTED(
            CmState.DISCONNECTING,
            "child, accepted, then disconnected",
            passive().ending(),
            Drive::acceptingAndDisconnected),
    CHILD_REJECTED(CmState.REFUSED, "child, has rejected", passive().ending(), Drive::refused),
    ACCEPTED_REJECTED(
            CmState.REFUSED,
            "child, accepted, then rejected by the peer",
            passive().ending(),
            Drive::respondedAndRejected),
    ESTABLISHED(CmState.ESTABLISHED, "established, active", active().ending(), Drive::established),
    ESTABLISHED_CHILD_UNSEEN(
            CmState.ACCEPTING,
            "established, passive, not fetched yet",
            passive().ending().ahead(),
            Drive::establishedUnseen),
    ESTABLISHED_CHILD(CmState.ESTABLISHED, "established, passive", passive().ending(), Drive::established),
    DISCONNECTING(CmState.DISCONNECTING, "has disconnected, the peer has not", active().ending(), Drive::disconnecting),
    DISCONNECTING_CHILD(
            CmState.DISCONNECTING,
            "child, has disconnected, the peer has not",
            passive().ending(),
            Drive::disconnectingPassive),
    DISCONNECTED_UNSEEN(
            CmState.ESTABLISHED,
            "child, the peer has disconnected, not fetched yet",
            passive().ending().ahead(),
            Drive::disconnectingUnseen),
    DISCONNECTED(CmState.DISCONNECTED, "the peer has disconnected", active().ending(), Drive::disconnectingPassive),
    DISCONNECTED_CHILD(
            CmState.DISCONNECTED, "child, the peer has disconnected", passive().ending(), Drive::disconnecting),
    TIME_WAIT(CmState.DISCONNECTED, "both have disconnected, this one first", active().ending(), Drive::disconnected),
    TIME_WAIT_CHILD(
            CmState.DISCONNECTED,
            "child, both have disconnected, the peer first",
            passive().ending(),
            Drive::disconnected),
    TIME_WAIT_OVER(CmState.DISCONNECTED, "time-wait is over", active().ending(), Drive::timeWaitOver),
    TIME_WAIT_OVER_CHILD(
            CmState.DISCONNECTED, "child, time-wait is over", passive().ending(), Drive::timeWaitOver),

    UD_BOUND(CmState.BOUND, "datagrams: bound", active().datagram(), Drive::bound),
    UD_ADDRESS_RESOLVED(
            CmState.ADDRESS_RESOLVED, "datagrams: address resolved", active().datagram(), Drive::addressResolved),
    UD_ROUTE_RESOLVED(CmState.ROUTE_RESOLVED, "datagrams: route resolved", active().datagram(), Drive::routeResolved),
    UD_LISTENING(CmState.LISTENING, "datagrams: listens", passive().datagram(), Drive::listening),
    UD_CONNECTING(
            CmState.CONNECTING, "datagrams: request sent", active().datagram().ending(), Drive::connecting),
    UD_ESTABLISHED_UNSEEN(
            CmState.CONNECTING,
            "datagrams: accepted by the peer, not fetched yet",
            active().datagram().ending().ahead(),
            Drive::accepting),
    UD_ESTABLISHED(
            CmState.ESTABLISHED,
            "datagrams: accepted by the peer",
            active().datagram().ending(),
            Drive::datagramEstablished),
    UD_REJECTED(
            CmState.FAILED,
            "datagrams: rejected by the peer",
            active().datagram().ending(),
            Drive::refused),
    UD_REJECTED_BY_NOBODY(
            CmState.FAILED,
            "datagrams: rejected, for nobody listens",
            active().datagram().ending(),
            Drive::refusedByNobody),
    UD_UNREACHABLE(
            CmState.FAILED,
            "datagrams: request never answered",
            active().datagram().slow(),
            Drive::unreachable),
    UD_REQUESTED(
            CmState.REQUESTED,
            "datagrams: child, request not answered",
            passive().datagram().ending(),
            Drive::requested),
    UD_ACCEPTED(
            CmState.ESTABLISHED,
            "datagrams: child, accepted",
            passive().datagram().ending(),
            Drive::datagramEstablished),
    UD_CHILD_REJECTED(
            CmState.REFUSED,
            "datagrams: child, has rejected",
            passive().datagram().ending(),
            Drive::refused),
    UD_JOINED_UNSEEN(
            CmState.BOUND,
            "multicast: joined, not fetched yet",
            active().datagram().ahead(),
            Drive::joinedUnseen),
    UD_JOINED(CmState.BOUND, "multicast: joined", active().datagram(), Drive::joined),
    UD_LEFT(CmState.BOUND, "multicast: joined and left", active().datagram(), Drive::left),

    MIGRATED(null, "route resolved, migrated, spoken to through the old descriptor", active(), Drive::migrated),
    MIGRATED_FOLLOWED(
            CmState.ROUTE_RESOLVED,
            "route resolved, migrated, spoken to through the new descriptor",
            active(),
            Drive::migratedAndFollowed),
    DESTROYED(CmState.DESTROYED, "destroyed", active(), Drive::destroyed),
    NEVER_CREATED(null, "a number that was never an id's", active(), Drive::neverCreated),

    REMOVED_BOUND(CmState.DEVICE_REMOVED, "device removed: was bound", active().removal(), Drive::bound),
    REMOVED_ADDRESS_RESOLVED(
            CmState.DEVICE_REMOVED,
            "device removed: had resolved the address",
            active().removal(),
            Drive::addressResolved),
    REMOVED_ROUTE_RESOLVED(
            CmState.DEVICE_REMOVED, "device removed: had resolved the route", active().removal(), Drive::routeResolved),
    REMOVED_LISTENING(
            CmState.DEVICE_REMOVED,
            "device removed: listened at the device's address",
            passive().removal(),
            Drive::listening),
    REMOVED_LISTENING_ANY(
            CmState.LISTENING, "device removed: listens at 0.0.0.0", passive().removal(), Drive::listeningAny),
    REMOVED_CONNECTING(CmState.DEVICE_REMOVED, "device removed: was connecting", active().removal(), Drive::requested),
    REMOVED_REQUESTED(
            CmState.REQUESTED,
            "device removed: child, request not answered",
            passive().removal().ahead(),
            Drive::requested),
    REMOVED_ESTABLISHED(
            CmState.DEVICE_REMOVED, "device removed: was established", active().removal(), Drive::established),
    REMOVED_UD_BOUND(
            CmState.DEVICE_REMOVED,
            "device removed: datagrams, was bound",
            active().datagram().removal(),
            Drive::bound),
    REMOVED_UD_JOINED(
            CmState.DEVICE_REMOVED,
            "device removed: had joined a multicast group",
            active().datagram().removal(),
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

    /** Where the library says the id is; null where it has no id or would not speak to it like that. */
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
        return this == BOUND_V6 ? Rxe.IPV6 : Rxe.IPV4;
    }

    boolean activeIsMeasured() {
        return traits.activeIsMeasured();
    }

    /** Whether the kernel has queued an event that the id's user has not fetched. */
    boolean isAhead() {
        return traits.isAhead();
    }

    /** Whether DEVICE_REMOVAL comes when the device goes: not for an id without a uid, nor for one without a device. */
    boolean hearsOfRemoval() {
        return kind() == Traits.Kind.REMOVAL && state == CmState.DEVICE_REMOVED;
    }

    /** The commands after which destroying the id takes a minute or more, for the kernel forgets to stop its retries. */
    Set<Command> cloggedBy() {
        boolean awaitsAnswer = this == CONNECTING || this == ACCEPTING || this == ACCEPTING_DISCONNECTED;
        return awaitsAnswer ? EnumSet.of(Command.ACCEPT, Command.ESTABLISH, Command.REJECT) : Set.of();
    }

    Traits.Kind kind() {
        return traits.kind();
    }

    void drive(World world) throws RdmaException, InterruptedException {
        driver.drive(world);
    }
}
