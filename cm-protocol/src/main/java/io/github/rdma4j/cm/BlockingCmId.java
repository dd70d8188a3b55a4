// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.QueuePairType;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A CM id in synchronous mode: the id has an event channel of its own, and methods wait for the answer of the network
 * ({@code rdma_create_id(3)} without a channel, {@code rdma_create_ep(3)}).
 *
 * <p>A method that waits takes a time limit, or none and then waits without a limit; the kernel always limits the resolution of
 * addresses and routes. Every wait can be interrupted. After a timeout or an interrupt the id keeps its state,
 * and the operation goes on. An event that reports a failure becomes a {@link CmEventException}. An event that does not belong
 * to the operation, such as the TIMEWAIT_EXIT of an earlier connection, does not end the wait; {@link #lastEvent()} returns the
 * last event. Several threads may call the methods that wait; one thread proceeds at a time. The methods wait in poll(2), which
 * pins the carrier of a virtual thread; for many virtual threads use {@link io.github.rdma4j.cm.loop.CmEventLoop}.
 *
 * <pre>{@code
 * try (BlockingCmId id = BlockingCmId.create(PortSpace.TCP)) {
 *     id.resolveAddress(server, limit);
 *     id.resolveRoute(limit);
 *     id.id().createQp(QueuePairOptions.DEFAULT);
 *     id.connect(ConnectionParameters.DEFAULT, limit);
 * }
 * }</pre>
 */
public final class BlockingCmId implements AutoCloseable {
    /** Longer than {@link Deadline} counts, which makes it no limit. */
    private static final Duration NO_LIMIT = Duration.ofSeconds(Long.MAX_VALUE);

    private static final Set<CmEventType> ENDS = EnumSet.of(
            CmEventType.DISCONNECTED, CmEventType.REJECTED, CmEventType.UNREACHABLE, CmEventType.CONNECT_ERROR);

    private static final Set<CmEventType> NO_CONNECTION = EnumSet.of(
            CmEventType.DISCONNECTED,
            CmEventType.REJECTED,
            CmEventType.UNREACHABLE,
            CmEventType.CONNECT_ERROR,
            CmEventType.ADDR_ERROR,
            CmEventType.DEVICE_REMOVAL);

    private final EventChannel channel;
    private final CmId id;

    /** Of a listener made by {@link #createEndpoint}: what the queue pairs of its connections are to be. */
    private final @Nullable QueuePairOptions qpOptions;

    /** Serialises those who wait. */
    private final ReentrantLock turn = new ReentrantLock();

    private volatile @Nullable CmEvent lastEvent;

    /** Events that threads which wait for completions have retrieved; guarded by {@link #turn}. */
    private final Queue<CmEvent> taken = new ArrayDeque<>();

    private BlockingCmId(EventChannel channel, CmId id, @Nullable QueuePairOptions qpOptions) {
        this.channel = channel;
        this.id = id;
        this.qpOptions = qpOptions;
        id.core().watch(new Watch());
    }

    private final class Watch implements IdWatch {
        @Override
        public EventChannel channel() {
            return channel;
        }

        @Override
        public void takeEvent() throws RdmaException {
            if (!turn.tryLock()) {
                return;
            }
            try {
                channel.pollEvent().ifPresent(event -> {
                    retrieved(event);
                    taken.add(event);
                });
            } finally {
                turn.unlock();
            }
        }
    }

    private void retrieved(CmEvent event) {
        event.ack();
        lastEvent = event;
    }

    /** Makes an id on the running kernel. */
    public static BlockingCmId create(PortSpace portSpace) throws RdmaException {
        return create(Kernel.running(), portSpace, portSpace.queuePairType(), null);
    }

    /** Makes an id on {@code kernel}, which is for tests. */
    public static BlockingCmId create(Kernel kernel, PortSpace portSpace) throws RdmaException {
        return create(kernel, portSpace, portSpace.queuePairType(), null);
    }

    private static BlockingCmId create(
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
     * Creates an id and takes it as far as an address allows ({@code rdma_create_ep(3)}): a passive id is bound, and {@link
     * #getRequest} creates a queue pair by {@code qpOptions} for each connection; an active id has its address and route
     * resolved and its queue pair created.
     *
     * @param qpOptions options of the queue pairs
     * @param timeout the limit of each step
     */
    public static BlockingCmId createEndpoint(AddressInfo info, QueuePairOptions qpOptions, Duration timeout)
            throws RdmaException, InterruptedException {
        return endpoint(info, Objects.requireNonNull(qpOptions, "qpOptions"), timeout);
    }

    /** As {@link #createEndpoint(AddressInfo, QueuePairOptions, Duration)}, without queue pairs. */
    public static BlockingCmId createEndpoint(AddressInfo info, Duration timeout)
            throws RdmaException, InterruptedException {
        return endpoint(info, null, timeout);
    }

    private static BlockingCmId endpoint(AddressInfo info, @Nullable QueuePairOptions qpOptions, Duration timeout)
            throws RdmaException, InterruptedException {
        BlockingCmId made =
                create(Kernel.running(), info.portSpace(), info.type(), info.isPassive() ? qpOptions : null);
        try {
            if (info.isPassive()) {
                made.id.bind(info.requireSource());
            } else {
                made.reach(info, qpOptions, timeout);
            }
            return made;
        } catch (RdmaException | RuntimeException | InterruptedException e) {
            made.close();
            throw e;
        }
    }

    private void reach(AddressInfo info, @Nullable QueuePairOptions options, Duration timeout)
            throws RdmaException, InterruptedException {
        Optional<SocketAddress> source = info.source();
        if (source.isPresent()) {
            resolveAddress(source.get(), info.requireDestination(), timeout);
        } else {
            resolveAddress(info.requireDestination(), timeout);
        }
        if (info.paths().isEmpty()) {
            resolveRoute(timeout);
        } else {
            id.options().paths(info.paths());
            complete("route resolution", timeout, CmEventType.ROUTE_RESOLVED, EnumSet.of(CmEventType.ROUTE_ERROR));
        }
        if (options != null) {
            id.createQp(options);
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
        turn.lockInterruptibly();
        try {
            id.migrate(to, timeout);
            id.core().watch(null);
            channel.close();
            return id;
        } finally {
            turn.unlock();
        }
    }

    /** As {@link #toChannel(EventChannel, Duration)}, without a limit. */
    public CmId toChannel(EventChannel to) throws RdmaException, InterruptedException {
        return toChannel(to, NO_LIMIT);
    }

    /** The id, for all that does not wait: options, queue pairs, addresses. */
    public CmId id() {
        return id;
    }

    /**
     * The event that was retrieved last; it is acknowledged. Of an id that {@link #getRequest} gave, the CONNECT_REQUEST until
     * the next event is retrieved.
     */
    public Optional<CmEvent> lastEvent() {
        return Optional.ofNullable(lastEvent);
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
        id.resolveAddress(destination, timeout);
        addressResolved(timeout);
    }

    /** As {@link #resolveAddress(SocketAddress, Duration)}, from a local address. */
    public void resolveAddress(SocketAddress source, SocketAddress destination, Duration timeout)
            throws RdmaException, InterruptedException {
        id.resolveAddress(source, destination, timeout);
        addressResolved(timeout);
    }

    private void addressResolved(Duration timeout) throws RdmaException, InterruptedException {
        // The kernel keeps the time for this one and says so with an event.
        complete(
                "address resolution",
                Arguments.untilEventOf(timeout),
                CmEventType.ADDR_RESOLVED,
                EnumSet.of(CmEventType.ADDR_ERROR, CmEventType.DEVICE_REMOVAL));
    }

    /**
     * Looks up the route to the peer; see {@link CmId#resolveRoute}.
     *
     * @throws CmEventException ROUTE_ERROR
     */
    public void resolveRoute(Duration timeout) throws RdmaException, InterruptedException {
        id.resolveRoute(timeout);
        complete(
                "route resolution",
                Arguments.untilEventOf(timeout),
                CmEventType.ROUTE_RESOLVED,
                EnumSet.of(CmEventType.ROUTE_ERROR, CmEventType.DEVICE_REMOVAL));
    }

    /**
     * Connects; see {@link CmId#connect}. For an id without a queue pair the method returns when the peer has accepted; complete
     * the connection with {@link ExternalQp#establish()}.
     *
     * @return the ESTABLISHED event, or CONNECT_RESPONSE for an id without a queue pair, with the peer's private data
     * @throws CmEventException REJECTED, UNREACHABLE and the like
     */
    public CmEvent connect(ConnectionParameters parameters, Duration timeout)
            throws RdmaException, InterruptedException {
        id.connect(parameters);
        return complete(
                "connecting",
                timeout,
                EnumSet.of(CmEventType.ESTABLISHED, CmEventType.CONNECT_RESPONSE),
                NO_CONNECTION);
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
     */
    public BlockingCmId getRequest(Duration timeout) throws RdmaException, InterruptedException {
        CmEvent request = complete(
                "the next connect request",
                timeout,
                CmEventType.CONNECT_REQUEST,
                EnumSet.of(CmEventType.CONNECT_ERROR, CmEventType.DEVICE_REMOVAL));
        CmId child = request.id();
        try {
            BlockingCmId taken = of(child, timeout);
            taken.lastEvent = request;
            if (qpOptions != null) {
                child.createQp(qpOptions);
            }
            return taken;
        } catch (RdmaException | RuntimeException | InterruptedException e) {
            abandon(child);
            throw e;
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
        id.accept(parameters);
        if (!id.queuePairType().isDatagram()) {
            complete("accepting", timeout, CmEventType.ESTABLISHED, NO_CONNECTION);
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
        id.disconnect();
        if (id.state() == CmState.DISCONNECTING) {
            complete("disconnecting", timeout, ENDS, EnumSet.of(CmEventType.DEVICE_REMOVAL));
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
    public GroupMembership joinMulticast(SocketAddress group, MulticastMode mode, Duration timeout)
            throws RdmaException, InterruptedException {
        Deadline deadline = Deadline.after(timeout);
        GroupMembership membership = id.multicast().join(group, mode);
        try {
            CmEvent event;
            do {
                event = complete(
                        "joining " + group,
                        deadline,
                        EnumSet.of(CmEventType.MULTICAST_JOIN, CmEventType.MULTICAST_ERROR),
                        EnumSet.of(CmEventType.DEVICE_REMOVAL));
            } while (event.membership().orElseThrow() != membership);
            if (event.type() == CmEventType.MULTICAST_ERROR) {
                throw event.toException();
            }
            return membership;
        } catch (RdmaException | RuntimeException | InterruptedException e) {
            membership.close();
            throw e;
        }
    }

    /** As {@link #joinMulticast(SocketAddress, MulticastMode, Duration)}, without a limit. */
    public GroupMembership joinMulticast(SocketAddress group, MulticastMode mode)
            throws RdmaException, InterruptedException {
        return joinMulticast(group, mode, NO_LIMIT);
    }

    private CmEvent complete(String what, Duration timeout, CmEventType success, Set<CmEventType> failures)
            throws RdmaException, InterruptedException {
        return complete(what, timeout, EnumSet.of(success), failures);
    }

    private CmEvent complete(String what, Duration timeout, Set<CmEventType> successes, Set<CmEventType> failures)
            throws RdmaException, InterruptedException {
        return complete(what, Deadline.after(timeout), successes, failures);
    }

    private CmEvent complete(String what, Deadline deadline, Set<CmEventType> successes, Set<CmEventType> failures)
            throws RdmaException, InterruptedException {
        turn.lockInterruptibly();
        try {
            while (true) {
                CmEvent event = next(deadline)
                        .orElseThrow(() -> new CmTimeoutException("no time left for " + what + "; " + id + " goes on"));
                if (successes.contains(event.type())) {
                    return event;
                }
                if (failures.contains(event.type())) {
                    throw event.toException();
                }
            }
        } finally {
            turn.unlock();
        }
    }

    private Optional<CmEvent> next(Deadline deadline) throws RdmaException, InterruptedException {
        CmEvent before = taken.poll();
        if (before != null) {
            return Optional.of(before);
        }
        Optional<CmEvent> event = channel.await(deadline);
        event.ifPresent(this::retrieved);
        return event;
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
