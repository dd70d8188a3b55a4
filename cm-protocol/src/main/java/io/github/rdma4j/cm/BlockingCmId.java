// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A CM id in synchronous mode: the id has its own event channel, and methods wait for the outcome of an operation
 * ({@code rdma_create_id(3)} without a channel). {@link AddressInfo#createEndpoint} creates one for an address. Safe
 * for use by several threads.
 *
 * <p>A method that waits has a form with a time limit and a form without. The kernel limits address and route
 * resolution to about 24 days in either case. Every wait can be interrupted. After a timeout or an interrupt the id
 * keeps its state, and the operation continues. An event that reports a failure is thrown as a
 * {@link CmEventException}. Other events, such as the TIMEWAIT_EXIT of an earlier connection, do not end the wait;
 * {@link #lastEvent()} returns the last event. If several threads wait, each gets the events that it waits for, each
 * connect request goes to one of them, and the removal of the device ends all waits. A wait calls poll(2), which pins
 * the carrier of a virtual thread; for many virtual threads use {@link io.github.rdma4j.cm.loop.CmEventLoop}.
 *
 * <pre>{@code
 * try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
 *     id.resolveAddress(server, limit);
 *     id.resolveRoute(limit);
 *     id.createQp(QueuePairOptions.DEFAULT);
 *     id.connect(ConnectionParameters.DEFAULT, limit);
 * }
 * }</pre>
 */
public final class BlockingCmId implements AutoCloseable {
    /** The value of {@link Deadline} for no limit; for the kernel, the longest timeout of its interface. */
    static final Duration NO_LIMIT = Duration.ofSeconds(Long.MAX_VALUE);

    private static final Set<CmEventType> ENDS = EnumSet.of(
            CmEventType.DISCONNECTED, CmEventType.REJECTED, CmEventType.UNREACHABLE, CmEventType.CONNECT_ERROR);

    private static final Set<CmEventType> NO_CONNECTION = EnumSet.of(
            CmEventType.DISCONNECTED,
            CmEventType.REJECTED,
            CmEventType.UNREACHABLE,
            CmEventType.CONNECT_ERROR,
            CmEventType.ADDR_ERROR);

    private final EventChannel channel;
    private final CmId id;

    /** For a listener from {@link AddressInfo#createEndpoint}: the queue pair options of its connections. */
    private final @Nullable QueuePairOptions qpOptions;

    /** The retrieved events, and the waits that receive them. */
    private final Inbox inbox;

    private BlockingCmId(EventChannel channel, CmId id, @Nullable QueuePairOptions qpOptions) {
        this.channel = channel;
        this.id = id;
        this.qpOptions = qpOptions;
        this.inbox = new Inbox(channel, id);
        id.core().watch(inbox);
    }

    /** Creates an id on the running kernel. */
    public static BlockingCmId create(PortSpace portSpace) throws RdmaException {
        return create(Kernel.running(), portSpace, portSpace.queuePairType(), null);
    }

    /** Creates an id on {@code kernel}; for tests. */
    public static BlockingCmId create(Kernel kernel, PortSpace portSpace) throws RdmaException {
        return create(kernel, portSpace, portSpace.queuePairType(), null);
    }

    /** Creates an id; {@code qpOptions} apply to the queue pairs of the requests that a listener accepts. */
    static BlockingCmId create(
            Kernel kernel, PortSpace portSpace, QueuePairType type, @Nullable QueuePairOptions qpOptions)
            throws RdmaException {
        EventChannel channel = EventChannel.open(kernel);
        return Undo.onFailure(
                () -> new BlockingCmId(channel, channel.createId(portSpace, type), qpOptions), channel::close);
    }

    /**
     * Takes over an id that is on another channel ({@code rdma_migrate_id(3)} without a channel); see
     * {@link CmId#migrate}. Closing the result closes the id. If the wait for acknowledgements ends with an exception,
     * the id has moved to a new channel, which {@link CmId#channel()} returns; close both.
     */
    public static BlockingCmId of(CmId id, Duration timeout) throws RdmaException, InterruptedException {
        EventChannel own = EventChannel.open(id.channel().kernel());
        try {
            id.migrate(own, timeout);
            return new BlockingCmId(own, id, null);
        } catch (RdmaException | RuntimeException | Error | InterruptedException e) {
            if (id.channel() != own) {
                FirstFailure.closeAfter(e, own);
            }
            throw e;
        }
    }

    /** Like {@link #of(CmId, Duration)}, without a time limit. */
    public static BlockingCmId of(CmId id) throws RdmaException, InterruptedException {
        return of(id, NO_LIMIT);
    }

    /**
     * Ends synchronous mode: moves the id to a channel and returns it ({@code rdma_migrate_id(3)}). Events that no
     * method has waited for move too, such as a disconnect that a wait for completions has read, and so do the new ids
     * of connect requests. Do not use this object afterwards.
     */
    public CmId toChannel(EventChannel to, Duration timeout) throws RdmaException, InterruptedException {
        inbox.migrate(to, Deadline.after(timeout));
        return id;
    }

    /** Like {@link #toChannel(EventChannel, Duration)}, without a time limit. */
    public CmId toChannel(EventChannel to) throws RdmaException, InterruptedException {
        return toChannel(to, NO_LIMIT);
    }

    /** Returns the underlying id, whose methods do not wait. */
    public CmId id() {
        return id;
    }

    /** Returns the local address; empty until the id is bound. */
    public Optional<InetSocketAddress> localAddress() {
        return id.localAddress();
    }

    /** Returns the device to which the id is bound; see {@link CmId#context()}. */
    public DeviceContext context() {
        return id.context();
    }

    /** Creates the id's queue pair; see {@link CmId#createQp(QueuePairOptions)}. */
    public QueuePair createQp(QueuePairOptions options) throws RdmaException {
        return id.createQp(options);
    }

    /** Returns the id's queue pair with its completion queues; see {@link CmId#queues()}. */
    public CmQueues queues() {
        return id.queues();
    }

    /**
     * Returns the event that was retrieved last; it is already acknowledged. For an id returned by {@link #getRequest},
     * this is the CONNECT_REQUEST until the next event is retrieved.
     */
    public Optional<CmEvent> lastEvent() {
        return Optional.ofNullable(inbox.lastEvent());
    }

    /** Binds the id to a local address; see {@link CmId#bind}. Never waits. */
    public void bind(SocketAddress address) throws RdmaException {
        id.bind(address);
    }

    /** Starts listening for connect requests; see {@link CmId#listen}. Never waits. */
    public void listen(int backlog) throws RdmaException {
        id.listen(backlog);
    }

    /**
     * Resolves the device and the hardware address for a peer; see {@link CmId#resolveAddress}.
     *
     * @throws UnresolvedNameException if the address contains a host name that did not resolve
     * @throws CmEventException ADDR_ERROR
     */
    public void resolveAddress(SocketAddress destination, Duration timeout) throws RdmaException, InterruptedException {
        resolveAddress(timeout, () -> id.resolveAddress(destination, timeout));
    }

    /** Like {@link #resolveAddress(SocketAddress, Duration)}, without a time limit. */
    public void resolveAddress(SocketAddress destination) throws RdmaException, InterruptedException {
        resolveAddress(destination, NO_LIMIT);
    }

    /** Like {@link #resolveAddress(SocketAddress, Duration)}, from a local address. */
    public void resolveAddress(SocketAddress source, SocketAddress destination, Duration timeout)
            throws RdmaException, InterruptedException {
        resolveAddress(timeout, () -> id.resolveAddress(source, destination, timeout));
    }

    /** Like {@link #resolveAddress(SocketAddress, SocketAddress, Duration)}, without a time limit. */
    public void resolveAddress(SocketAddress source, SocketAddress destination)
            throws RdmaException, InterruptedException {
        resolveAddress(source, destination, NO_LIMIT);
    }

    private void resolveAddress(Duration timeout, FirstFailure.Step command)
            throws RdmaException, InterruptedException {
        try (Inbox.Wait wait =
                inbox.expect(EnumSet.of(CmEventType.ADDR_RESOLVED), EnumSet.of(CmEventType.ADDR_ERROR))) {
            command.run();
            // the kernel enforces the time limit of this step and reports it with an event
            wait.await("address resolution", Deadline.after(Arguments.untilEventOf(timeout)));
        }
    }

    /**
     * Looks up the route to the peer; see {@link CmId#resolveRoute}.
     *
     * @throws CmEventException ROUTE_ERROR
     */
    public void resolveRoute(Duration timeout) throws RdmaException, InterruptedException {
        resolveRoute(timeout, () -> id.resolveRoute(timeout));
    }

    /** Like {@link #resolveRoute(Duration)}, without a time limit. */
    public void resolveRoute() throws RdmaException, InterruptedException {
        resolveRoute(NO_LIMIT);
    }

    void resolveRoute(Duration timeout, FirstFailure.Step command) throws RdmaException, InterruptedException {
        try (Inbox.Wait wait =
                inbox.expect(EnumSet.of(CmEventType.ROUTE_RESOLVED), EnumSet.of(CmEventType.ROUTE_ERROR))) {
            command.run();
            wait.await("route resolution", Deadline.after(Arguments.untilEventOf(timeout)));
        }
    }

    /**
     * Connects; see {@link CmId#connect}. For an id without a queue pair the method returns when the peer has accepted;
     * complete the connection with {@link UserManagedQp#establish()}.
     *
     * @return the ESTABLISHED event, or CONNECT_RESPONSE for an id without a queue pair, with the peer's private data
     * @throws CmEventException for REJECTED, UNREACHABLE or another event that reports a failure
     */
    public CmEvent connect(ConnectionParameters parameters, Duration timeout)
            throws RdmaException, InterruptedException {
        try (Inbox.Wait wait =
                inbox.expect(EnumSet.of(CmEventType.ESTABLISHED, CmEventType.CONNECT_RESPONSE), NO_CONNECTION)) {
            id.connect(parameters);
            return wait.await("connecting", Deadline.after(timeout));
        }
    }

    /** Like {@link #connect(ConnectionParameters, Duration)}, without a time limit. */
    public CmEvent connect(ConnectionParameters parameters) throws RdmaException, InterruptedException {
        return connect(parameters, NO_LIMIT);
    }

    /**
     * Waits for the next connect request and returns its id ({@code rdma_get_request(3)}). The new id has its own event
     * channel, and a queue pair if the listener was created with queue pair options. Closing the listener does not
     * affect the new id, and vice versa. {@link #lastEvent()} of the new id is the CONNECT_REQUEST, with the peer's
     * private data and parameters; {@link #lastEvent()} of the listener may already belong to a request of another
     * thread.
     *
     * @throws IllegalStateException if the id does not listen
     * @throws CmEventException CONNECT_ERROR if a request could not be processed, DEVICE_REMOVAL if the device is
     *     removed, after which no request can arrive
     */
    public BlockingCmId getRequest(Duration timeout) throws RdmaException, InterruptedException {
        Deadline deadline = Deadline.after(timeout);
        CmEvent request;
        try (Inbox.Wait wait =
                inbox.expect(EnumSet.of(CmEventType.CONNECT_REQUEST), EnumSet.of(CmEventType.CONNECT_ERROR))) {
            requireListening();
            request = wait.await("the next connect request", deadline);
        }
        CmId child = request.id();
        try {
            BlockingCmId taken = of(child, Duration.ofNanos(deadline.remainingNanos()));
            taken.inbox.lastEvent(request);
            inbox.forward(child, taken.inbox);
            if (qpOptions != null) {
                child.createQp(qpOptions);
            }
            return taken;
        } catch (RdmaException | RuntimeException | Error | InterruptedException e) {
            EventChannel on = child.channel();
            FirstFailure.closeAfter(e, child);
            if (on != channel) {
                FirstFailure.closeAfter(e, on);
            }
            throw e;
        }
    }

    /** Requires LISTENING, except for an id whose device was removed: the wait reports the removal. */
    private void requireListening() {
        CmState state = id.state();
        if (state != CmState.LISTENING && state != CmState.DEVICE_REMOVED) {
            throw new IllegalStateException(this + " does not listen and gets no requests; call listen first");
        }
    }

    /** Like {@link #getRequest(Duration)}, without a time limit. */
    public BlockingCmId getRequest() throws RdmaException, InterruptedException {
        return getRequest(NO_LIMIT);
    }

    /**
     * Accepts a request and waits until the peer has confirmed the connection; see {@link CmId#accept}. Does not wait
     * on a datagram id.
     *
     * @throws CmEventException if the peer has given up the connection
     */
    public void accept(ConnectionParameters parameters, Duration timeout) throws RdmaException, InterruptedException {
        try (Inbox.Wait wait = inbox.expect(EnumSet.of(CmEventType.ESTABLISHED), NO_CONNECTION)) {
            id.accept(parameters);
            if (!id.queuePairType().isDatagram()) {
                wait.await("accepting", Deadline.after(timeout));
            }
        }
    }

    /** Like {@link #accept(ConnectionParameters, Duration)}, without a time limit. */
    public void accept(ConnectionParameters parameters) throws RdmaException, InterruptedException {
        accept(parameters, NO_LIMIT);
    }

    /** Rejects a connect request; see {@link CmId#reject}. Never waits. */
    public void reject(byte[] privateData) throws RdmaException {
        id.reject(privateData);
    }

    /**
     * Ends the connection and waits for the peer's answer; see {@link CmId#disconnect}. Returns immediately if no event
     * follows: if the peer disconnected first, and on a datagram id. On an id that is not yet established the kernel
     * does nothing and reports nothing, so the method times out; close such an id instead.
     */
    public void disconnect(Duration timeout) throws RdmaException, InterruptedException {
        try (Inbox.Wait wait = inbox.expect(ENDS, EnumSet.noneOf(CmEventType.class))) {
            id.disconnect();
            if (id.state() == CmState.DISCONNECTING) {
                wait.await("disconnecting", Deadline.after(timeout));
            }
        }
    }

    /** Like {@link #disconnect(Duration)}, without a time limit. */
    public void disconnect() throws RdmaException, InterruptedException {
        disconnect(NO_LIMIT);
    }

    /**
     * Joins a multicast group and waits until the join is complete; see {@link CmMulticast#join}.
     *
     * @throws CmEventException MULTICAST_ERROR; the membership is closed
     */
    public GroupMembership joinMulticast(SocketAddress group, GroupMembership.Mode mode, Duration timeout)
            throws RdmaException, InterruptedException {
        try (Inbox.Wait wait =
                inbox.expect(EnumSet.of(CmEventType.MULTICAST_JOIN), EnumSet.of(CmEventType.MULTICAST_ERROR))) {
            GroupMembership membership = id.multicast().join(group, mode);
            try {
                wait.only(event -> event.membership().orElseThrow() == membership);
                wait.await("joining " + group, Deadline.after(timeout));
                return membership;
            } catch (RdmaException | RuntimeException | Error | InterruptedException e) {
                FirstFailure.closeAfter(e, membership);
                throw e;
            }
        }
    }

    /** Like {@link #joinMulticast(SocketAddress, GroupMembership.Mode, Duration)}, without a time limit. */
    public GroupMembership joinMulticast(SocketAddress group, GroupMembership.Mode mode)
            throws RdmaException, InterruptedException {
        return joinMulticast(group, mode, NO_LIMIT);
    }

    /** Closes the id and its channel, and wakes the threads that wait in a method of this class. Idempotent. */
    @Override
    public void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(id::close);
        failure.attempt(channel::close);
        failure.throwIfAny();
    }

    @Override
    public String toString() {
        return "Blocking" + id;
    }
}
