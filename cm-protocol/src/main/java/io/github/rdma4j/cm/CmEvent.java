// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.EventParam.UserParam;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.UdParam;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An event of a CM id ({@code struct rdma_cm_event}), retrieved from an {@link EventChannel}.
 *
 * <p>An event is a copy and stays readable after its id is closed. Acknowledge an event with {@link #ack()} or
 * {@link #close()} after handling it; {@link CmId#unacknowledgedEvents()} counts the events that are not acknowledged.
 * Closing an id does not wait for acknowledgements.
 */
public final class CmEvent extends RetrievedEvent implements AutoCloseable {
    private final Subject subject;
    private final EventReply reply;
    private final CmEventType type;
    private final @Nullable RdmaException failure;

    /** {@code owner} is the id to which the kernel counts the event: for a connect request, the listener. */
    private record Subject(CmId owner, CmId id, @Nullable GroupMembership membership) {}

    private CmEvent(Subject subject, EventReply reply, CmEventType type, @Nullable RdmaException failure) {
        super(subject.owner.core().eventCount);
        this.subject = subject;
        this.reply = reply;
        this.type = type;
        this.failure = failure;
    }

    static CmEvent of(CmId id, EventReply reply, CmEventType type, @Nullable RdmaException failure) {
        return new CmEvent(new Subject(id, id, null), reply, type, failure);
    }

    static CmEvent request(CmId listener, CmId child, EventReply reply) {
        return new CmEvent(new Subject(listener, child, null), reply, CmEventType.CONNECT_REQUEST, null);
    }

    static CmEvent group(
            GroupMembership membership, EventReply reply, CmEventType type, @Nullable RdmaException failure) {
        Subject subject = new Subject(membership.id(), membership.id(), membership);
        return new CmEvent(subject, reply, type, failure);
    }

    /** Returns an unacknowledged copy of the event, to be delivered again. */
    CmEvent again() {
        return new CmEvent(subject, reply, type, failure);
    }

    /** Returns the id to which the kernel counts the event: for a connect request, the listener. */
    CmId owner() {
        return subject.owner;
    }

    EventReply reply() {
        return reply;
    }

    /** Returns the type of the event ({@code rdma_cm_event.event}). */
    public CmEventType type() {
        return type;
    }

    /**
     * Returns the kernel's number for the event, even if {@link #type()} is UNKNOWN or was replaced because of a
     * {@link #failure()}.
     */
    public int rawType() {
        return reply.event();
    }

    /** Returns the id that the event concerns; for CONNECT_REQUEST, the new id, which the caller must close. */
    public CmId id() {
        return subject.id;
    }

    /** Returns the listening id for CONNECT_REQUEST; empty for other types. */
    public Optional<CmId> listener() {
        return subject.owner == subject.id ? Optional.empty() : Optional.of(subject.owner);
    }

    /**
     * Returns the raw status: 0, a negative error number if the kernel failed, or a positive number from the peer, such
     * as the reason of a rejection.
     */
    public int status() {
        return reply.status();
    }

    /**
     * Returns the local failure that occurred while the event was retrieved. In this case {@link #type()} is
     * ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR or MULTICAST_ERROR, although {@link #rawType()} reports a success. An
     * event that reports a failure from the kernel keeps its type and its status.
     */
    public Optional<RdmaException> failure() {
        return Optional.ofNullable(failure);
    }

    /**
     * Returns the peer's private data, including the zeros that pad the message; an empty array for events without
     * private data.
     */
    public byte[] privateData() {
        return reply.param().privateData();
    }

    /**
     * Returns the destination for datagrams, for MULTICAST_JOIN and for ESTABLISHED on a datagram id; empty otherwise.
     */
    public Optional<DatagramPeer> datagramPeer() {
        boolean carries = type == CmEventType.ESTABLISHED || type == CmEventType.MULTICAST_JOIN;
        return carries && reply.param() instanceof UdParam ud
                ? Optional.of(new DatagramPeer(ud.ahAttr(), ud.qpNum(), ud.qkey()))
                : Optional.empty();
    }

    /** Returns the membership, for MULTICAST_JOIN and MULTICAST_ERROR; empty for other types. */
    public Optional<GroupMembership> membership() {
        return Optional.ofNullable(subject.membership);
    }

    /**
     * Returns the ECE options that the peer's driver offers, for CONNECT_REQUEST and CONNECT_RESPONSE; otherwise
     * {@link Ece#NONE}.
     */
    public Ece remoteEce() {
        return reply.ece();
    }

    /** Returns the argument, for USER and INTERNAL; empty for other types. */
    public OptionalLong userArgument() {
        return reply.param() instanceof UserParam user ? OptionalLong.of(user.arg()) : OptionalLong.empty();
    }

    /**
     * Returns the connection parameters of the peer from the local point of view, for CONNECT_REQUEST, CONNECT_RESPONSE
     * (including one that became ESTABLISHED) and REJECTED; empty for other types.
     */
    public Optional<ConnectionParameters> connectionParameters() {
        boolean carries = type == CmEventType.CONNECT_REQUEST
                || reply.event() == CmEventType.CONNECT_RESPONSE.code()
                || type == CmEventType.REJECTED;
        return carries && reply.param() instanceof ConnParam connection
                ? Optional.of(ConnectionParameters.of(connection))
                : Optional.empty();
    }

    /** Returns an exception for an operation that ended with this event. */
    public CmEventException toException() {
        return new CmEventException(type, status(), privateData(), id() + ": " + describeStatus(), failure);
    }

    /** Acknowledges the event: it has been handled. Idempotent. */
    public void ack() {
        countAcknowledged();
    }

    /** Acknowledges the event; the same as {@link #ack()}. */
    @Override
    public void close() {
        ack();
    }

    /** Returns the status in words. */
    private String describeStatus() {
        if (failure != null && type.code() != reply.event()) {
            return Objects.toString(failure.getMessage());
        }
        if (type == CmEventType.REJECTED) {
            return "reason " + status() + ", " + RejectReason.of(status()).text();
        }
        return status() < 0 ? Errno.ofResult(status()).toString() : "status " + status();
    }

    @Override
    public String toString() {
        return "CmEvent[" + (type == CmEventType.UNKNOWN ? "type " + rawType() : type) + ", " + describeStatus() + ", "
                + id() + "]";
    }
}
