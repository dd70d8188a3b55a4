// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.syscall.FirstFailure;
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
 * A CM id in synchronous mode: the id has an event channel of its own, and methods wait for the answer of the network
 * ({@code rdma_create_id(3)} without a channel); {@link AddressInfo#createEndpoint} makes one for an address.
 *
 * <p>A method that waits takes a time limit, or none and then waits without a limit; the kernel always limits the resolution of
 * addresses and routes, to 24 days. Every wait can be interrupted. After a timeout or an interrupt the id keeps its state,
 * and the operation goes on. An event that reports a failure becomes a {@link CmEventException}. An event that does not belong
 * to the operation, such as the TIMEWAIT_EXIT of an earlier connection, does not end the wait; {@link #lastEvent()} returns the
 * last event. Several threads may call the methods that wait, at the same time: each gets the events that it waits for, a connect
 * request goes to one of those who wait for requests, and all are told when the device is removed. The methods wait in poll(2), which
 * pins the carrier of a virtual thread; for many virtual threads use {@link io.github.rdma4j.cm.loop.CmEventLoop}.
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
    /** Longer than {@link Deadline} counts, which makes it no limit; the kernel takes it for the longest time that it knows. */
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

    /** Of a listener made by {@link AddressInfo#createEndpoint}: the options of the queue pairs of its connections. */
    private final @Nullable QueuePairOptions qpOptions;

    /** The events that were retrieved, and who waits for which. */
    private final Inbox inbox;

    private BlockingCmId(EventChannel channel, CmId id, @Nullable QueuePairOptions qpOptions) {
        this.channel = channel;
        this.id = id;
        this.qpOptions = qpOptions;
        this.inbox = new Inbox(channel, id);
        id.core().watch(inbox);
    }

    /** Makes an id on the running kernel. */
    public static BlockingCmId create(PortSpace portSpace) throws RdmaException {
        return create(Kernel.running(), portSpace, portSpace.queuePairType(), null);
    }

    /** Makes an id on {@code kernel}, which is for tests. */
    public static BlockingCmId create(Kernel kernel, PortSpace portSpace) throws RdmaException {
        return create(kernel, portSpace, portSpace.queuePairType(), null);
    }

    /** {@code qpOptions} are for the queue pairs of the requests of a listener. */
    static BlockingCmId create(
            Kernel kernel, PortSpace portSpace, QueuePairType type, @Nullable QueuePairOptions qpOptions)
            throws RdmaException {
        EventChannel channel = EventChannel.open(kernel);
        try {
            return new BlockingCmId(channel, channel.createId(portSpace, type), qpOptions);
        } catch (RdmaException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Takes over an id that is on another channel ({@code rdma_migrate_id(3)} to no channel); see {@link CmId#migrate}.
     * Closing the result closes the id. When the wait for acknowledgements ends in an exception, {@link CmId#channel()} is
     * the channel of its own that the id has moved to.
     */
    public static BlockingCmId of(CmId id, Duration timeout) throws RdmaException, InterruptedException {
        EventChannel own = EventChannel.open(id.channel().kernel());
        try {
            id.migrate(own, timeout);
            return new BlockingCmId(own, id, null);
        } catch (RdmaException | RuntimeException | InterruptedException e) {
            if (id.channel() != own) {
                own.close();
            }
            throw e;
        }
    }

    /** As {@link #of(CmId, Duration)}, without a limit. */
    public static BlockingCmId of(CmId id) throws RdmaException, InterruptedException {
        return of(id, NO_LIMIT);
    }

    /**
     * Ends synchronous mode: moves the id to a channel, and gives it back ({@code rdma_migrate_id(3)}). This object is of
     * no use afterwards.
     */
    public CmId toChannel(EventChannel to, Duration timeout) throws RdmaException, InterruptedException {
        inbox.withoutReaders(() -> {
            id.migrate(to, timeout);
            id.core().watch(null);
            channel.close();
        });
        return id;
    }

    /** As {@link #toChannel(EventChannel, Duration)}, without a limit. */
    public CmId toChannel(EventChannel to) throws RdmaException, InterruptedException {
        return toChannel(to, NO_LIMIT);
    }

    /** The id, whose methods do not wait. */
    public CmId id() {
        return id;
    }

    /** The address on this side, once the id is bound. */
    public Optional<InetSocketAddress> localAddress() {
        return id.localAddress();
    }

    /** The device that the id is bound to; see {@link CmId#context()}. */
    public DeviceContext context() {
        return id.context();
    }

    /** Creates the queue pair of the id; see {@link CmId#createQp(QueuePairOptions)}. */
    public QueuePair createQp(QueuePairOptions options) throws RdmaException {
        return id.createQp(options);
    }

    /** The queue pair of the id with its completion queues: registers memory, posts, and waits for completions. */
    public CmQueues queues() {
        return id.queues();
    }

    /**
     * The event that was retrieved last; it is acknowledged. Of an id that {@link #getRequest} gave, the CONNECT_REQUEST until
     * the next event is retrieved.
     */
    public Optional<CmEvent> lastEvent() {
        return Optional.ofNullable(inbox.lastEvent());
    }

    /** {@link CmId#bind}, which never waits. */
    public void bind(SocketAddress address) throws RdmaException {
        id.bind(address);
    }

    /** {@link CmId#listen}, which never waits. */
    public void listen(int backlog) throws RdmaException {
        id.listen(backlog);
    }

    /**
     * Looks up device and hardware address for a peer; see {@link CmId#resolveAddress}.
     *
     * @throws UnresolvedNameException when an address is a name that has none
     * @throws CmEventException ADDR_ERROR
     */
    public void resolveAddress(SocketAddress destination, Duration timeout) throws RdmaException, InterruptedException {
        resolveAddress(timeout, () -> id.resolveAddress(destination, timeout));
    }

    /** As {@link #resolveAddress(SocketAddress, Duration)}, without a limit. */
    public void resolveAddress(SocketAddress destination) throws RdmaException, InterruptedException {
        resolveAddress(destination, NO_LIMIT);
    }

    /** As {@link #resolveAddress(SocketAddress, Duration)}, from a local address. */
    public void resolveAddress(SocketAddress source, SocketAddress destination, Duration timeout)
            throws RdmaException, InterruptedException {
        resolveAddress(timeout, () -> id.resolveAddress(source, destination, timeout));
    }

    /** As {@link #resolveAddress(SocketAddress, SocketAddress, Duration)}, without a limit. */
    public void resolveAddress(SocketAddress source, SocketAddress destination)
            throws RdmaException, InterruptedException {
        resolveAddress(source, destination, NO_LIMIT);
    }

    private void resolveAddress(Duration timeout, CmIdCore.Action command) throws RdmaException, InterruptedException {
        try (Inbox.Wait wait =
                inbox.expect(EnumSet.of(CmEventType.ADDR_RESOLVED), EnumSet.of(CmEventType.ADDR_ERROR))) {
            command.run();
            // The kernel keeps the time for this one and says so with an event.
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

    /** As {@link #resolveRoute(Duration)}, without a limit. */
    public void resolveRoute() throws RdmaException, InterruptedException {
        resolveRoute(NO_LIMIT);
    }

    void resolveRoute(Duration timeout, CmIdCore.Action command) throws RdmaException, InterruptedException {
        try (Inbox.Wait wait =
                inbox.expect(EnumSet.of(CmEventType.ROUTE_RESOLVED), EnumSet.of(CmEventType.ROUTE_ERROR))) {
            command.run();
            wait.await("route resolution", Deadline.after(Arguments.untilEventOf(timeout)));
        }
    }

    /**
     * Connects; see {@link CmId#connect}. For an id without a queue pair the method returns when the peer has accepted; complete
     * the connection with {@link UserManagedQp#establish()}.
     *
     * @return the ESTABLISHED event, or CONNECT_RESPONSE for an id without a queue pair, with the peer's private data
     * @throws CmEventException REJECTED, UNREACHABLE and the like
     */
    public CmEvent connect(ConnectionParameters parameters, Duration timeout)
            throws RdmaException, InterruptedException {
        try (Inbox.Wait wait =
                inbox.expect(EnumSet.of(CmEventType.ESTABLISHED, CmEventType.CONNECT_RESPONSE), NO_CONNECTION)) {
            id.connect(parameters);
            return wait.await("connecting", Deadline.after(timeout));
        }
    }

    /** As {@link #connect(ConnectionParameters, Duration)}, without a limit. */
    public CmEvent connect(ConnectionParameters parameters) throws RdmaException, InterruptedException {
        return connect(parameters, NO_LIMIT);
    }

    /**
     * Waits for the next connect request ({@code rdma_get_request(3)}). Its id has an event channel to itself as well, and
     * a queue pair if the listener was made with options for one; closing either does not touch the other. {@link
     * #lastEvent()} of the result is the CONNECT_REQUEST, with the peer's private data and what it proposes; that of the
     * listener may be another thread's request by then.
     *
     * @throws IllegalStateException when the id does not listen
     * @throws CmEventException CONNECT_ERROR when a request could not be processed, DEVICE_REMOVAL when none can come any more
     */
    public BlockingCmId getRequest(Duration timeout) throws RdmaException, InterruptedException {
        CmEvent request;
        try (Inbox.Wait wait =
                inbox.expect(EnumSet.of(CmEventType.CONNECT_REQUEST), EnumSet.of(CmEventType.CONNECT_ERROR))) {
            requireListening();
            request = wait.await("the next connect request", Deadline.after(timeout));
        }
        CmId child = request.id();
        try {
            BlockingCmId taken = of(child, timeout);
            taken.inbox.lastEvent(request);
            if (qpOptions != null) {
                child.createQp(qpOptions);
            }
            return taken;
        } catch (RdmaException | RuntimeException | InterruptedException e) {
            abandon(child);
            throw e;
        }
    }

    /** Of an id that was told of the removal of its device, waiting itself says so. */
    private void requireListening() {
        CmState state = id.state();
        if (state != CmState.LISTENING && state != CmState.DEVICE_REMOVED) {
            throw new IllegalStateException(this + " does not listen, and no request will come; call listen first");
        }
    }

    /** As {@link #getRequest(Duration)}, without a limit. */
    public BlockingCmId getRequest() throws RdmaException, InterruptedException {
        return getRequest(NO_LIMIT);
    }

    private void abandon(CmId child) throws RdmaException {
        EventChannel on = child.channel();
        FirstFailure failure = new FirstFailure();
        failure.attempt(child::close);
        if (on != channel) {
            failure.attempt(on::close);
        }
        failure.throwIfAny();
    }

    /**
     * Accepts a request and waits until the peer has heard of it; see {@link CmId#accept}. On a datagram id there is
     * nothing to wait for.
     *
     * @throws CmEventException when the peer does not want the connection any more
     */
    public void accept(ConnectionParameters parameters, Duration timeout) throws RdmaException, InterruptedException {
        try (Inbox.Wait wait = inbox.expect(EnumSet.of(CmEventType.ESTABLISHED), NO_CONNECTION)) {
            id.accept(parameters);
            if (!id.queuePairType().isDatagram()) {
                wait.await("accepting", Deadline.after(timeout));
            }
        }
    }

    /** As {@link #accept(ConnectionParameters, Duration)}, without a limit. */
    public void accept(ConnectionParameters parameters) throws RdmaException, InterruptedException {
        accept(parameters, NO_LIMIT);
    }

    /** {@link CmId#reject}, which never waits. */
    public void reject(byte[] privateData) throws RdmaException {
        id.reject(privateData);
    }

    /**
     * Ends the connection and waits for the peer's answer; see {@link CmId#disconnect}. Returns at once where no event follows:
     * when the peer was first, and on a datagram id. On an id that is not established yet the kernel does nothing and reports
     * nothing, so the method times out; close such an id instead.
     */
    public void disconnect(Duration timeout) throws RdmaException, InterruptedException {
        try (Inbox.Wait wait = inbox.expect(ENDS, EnumSet.noneOf(CmEventType.class))) {
            id.disconnect();
            if (id.state() == CmState.DISCONNECTING) {
                wait.await("disconnecting", Deadline.after(timeout));
            }
        }
    }

    /** As {@link #disconnect(Duration)}, without a limit. */
    public void disconnect() throws RdmaException, InterruptedException {
        disconnect(NO_LIMIT);
    }

    /**
     * Joins a multicast group and waits until it has; see {@link CmMulticast#join}.
     *
     * @throws CmEventException MULTICAST_ERROR; the membership is left then
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
            } catch (RdmaException | RuntimeException | InterruptedException e) {
                membership.close();
                throw e;
            }
        }
    }

    /** As {@link #joinMulticast(SocketAddress, GroupMembership.Mode, Duration)}, without a limit. */
    public GroupMembership joinMulticast(SocketAddress group, GroupMembership.Mode mode)
            throws RdmaException, InterruptedException {
        return joinMulticast(group, mode, NO_LIMIT);
    }

    /** Closes the id and its channel; a thread that waits in one of the methods is woken. Idempotent. */
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
