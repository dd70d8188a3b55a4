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
 * Something that happened to a CM id ({@code struct rdma_cm_event}), retrieved from an {@link EventChannel}.
 *
 * <p>An event is a copy: it stays readable for ever, also after its id was closed. Acknowledging it ({@link #ack()}, or
 * closing it) says that its consequences have been dealt with; {@link CmId#unacknowledgedEvents()} counts those that
 * have not. Closing an id does not wait for acknowledgements.
 */
public final class CmEvent extends RetrievedEvent implements AutoCloseable {
    private final Subject subject;
    private final EventReply reply;
    private final CmEventType type;
    private final @Nullable RdmaException failure;

    /** {@code owner} is the id that the kernel counts the event against: for a connect request, the listener. */
    private record Subject(CmId owner, CmId id, @Nullable GroupMembership membership) {}

    private CmEvent(Subject subject, EventReply reply, CmEventType type, @Nullable RdmaException failure) {
        super(subject.owner.core().eventCount());
        this.subject = subject;
        this.reply = reply;
        this.type = type;
        this.failure = failure;
    }

    static CmEvent of(CmId id, EventReply reply, EventConsequences.Outcome outcome) {
        return new CmEvent(new Subject(id, id, null), reply, outcome.type(), outcome.failure());
    }

    static CmEvent request(CmId listener, CmId child, EventReply reply) {
        return new CmEvent(new Subject(listener, child, null), reply, CmEventType.CONNECT_REQUEST, null);
    }

    static CmEvent group(
            GroupMembership membership, EventReply reply, CmEventType type, @Nullable RdmaException failure) {
        Subject subject = new Subject(membership.id(), membership.id(), membership);
        return new CmEvent(subject, reply, type, failure);
    }

    public CmEventType type() {
        return type;
    }

    /** The kernel's number of the event, also where {@link #type()} is UNKNOWN or was changed by a {@link #failure()}. */
    public int rawType() {
        return reply.event();
    }

    /** The id that the event is about; for CONNECT_REQUEST the new one, which the caller now owns. */
    public CmId id() {
        return subject.id;
    }

    /** Of a CONNECT_REQUEST, the id that listens. */
    public Optional<CmId> listener() {
        return subject.owner == subject.id ? Optional.empty() : Optional.of(subject.owner);
    }

    /**
     * The raw status: 0, minus an error number when the kernel failed, or a positive number from the wire, such as the
     * reason of a rejection.
     */
    public int status() {
        return reply.status();
    }

    /**
     * What failed on this side when the event was retrieved: the type is then ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR or
     * MULTICAST_ERROR in the place of the success that {@link #rawType()} says. An event that says a failure itself keeps its
     * type and its status.
     */
    public Optional<RdmaException> failure() {
        return Optional.ofNullable(failure);
    }

    /** The bytes that the peer sent along, with the zeros that fill up the message; empty for events without any. */
    public byte[] privateData() {
        return reply.param().privateData();
    }

    /** Of ESTABLISHED on a datagram id, and of MULTICAST_JOIN, where to send. */
    public Optional<DatagramPeer> datagramPeer() {
        boolean carries = type == CmEventType.ESTABLISHED || type == CmEventType.MULTICAST_JOIN;
        return carries && reply.param() instanceof UdParam ud
                ? Optional.of(new DatagramPeer(ud.ahAttr(), ud.qpNum(), ud.qkey()))
                : Optional.empty();
    }

    /** Of MULTICAST_JOIN and MULTICAST_ERROR, the membership. */
    public Optional<GroupMembership> membership() {
        return Optional.ofNullable(subject.membership);
    }

    /** Of CONNECT_REQUEST and CONNECT_RESPONSE, the options that the peer's driver offers. */
    public Ece remoteEce() {
        return reply.ece();
    }

    /** Of USER and INTERNAL, the argument. */
    public OptionalLong userArgument() {
        return reply.param() instanceof UserParam user ? OptionalLong.of(user.arg()) : OptionalLong.empty();
    }

    /** Of CONNECT_REQUEST and CONNECT_RESPONSE, what the peer proposes, as seen from this side. */
    public Optional<ConnectionParameters> connectionParameters() {
        boolean carries = type == CmEventType.CONNECT_REQUEST
                || reply.event() == CmEventType.CONNECT_RESPONSE.code()
                || type == CmEventType.REJECTED;
        return carries && reply.param() instanceof ConnParam connection
                ? Optional.of(ConnectionParameters.of(connection))
                : Optional.empty();
    }

    /** This event as the exception of an operation that it ends in failure. */
    public CmEventException toException() {
        return new CmEventException(type, status(), id() + ": " + describeStatus(), failure);
    }

    /** Says that the event has been dealt with. A second time does nothing. */
    public void ack() {
        countAcknowledged();
    }

    /** Acknowledges the event. */
    @Override
    public void close() {
        ack();
    }

    /** The status in words. */
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
