// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.cm.abi.AcceptCommand;
import io.github.rdma4j.cm.abi.BindCommand;
import io.github.rdma4j.cm.abi.ConnParam;
import io.github.rdma4j.cm.abi.ConnectCommand;
import io.github.rdma4j.cm.abi.Ece;
import io.github.rdma4j.cm.abi.EventReply;
import io.github.rdma4j.cm.abi.PathRecord;
import io.github.rdma4j.cm.abi.QueryGidReply;
import io.github.rdma4j.cm.abi.RejectCommand;
import io.github.rdma4j.cm.abi.ResolveAddrCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QpState;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.abi.Gid;
import io.github.rdma4j.verbs.abi.QpAttr;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, or a listener: what a socket is to TCP ({@code rdma_create_id(3)}).
 *
 * <p>Commands that need the network only start here; their outcome comes as an event of the {@link EventChannel}, and
 * the id changes its {@link #state()} when that event is retrieved. A command that the state does not allow is refused
 * with {@link IllegalStateException}; a failed command leaves the state as it was. Safe for use by several threads.
 *
 * <p>Closing ends the connection from the peer's point of view, destroys the queue pair made through the id, and may be
 * done in any state, with events unacknowledged as well.
 */
public final class CmId implements AutoCloseable {
    private final EventChannel channel;
    private final PortSpace portSpace;
    private final long uid;
    private final int handle;
    private final @Nullable EventReply request;
    private final Binding binding;
    private final ConnectionQp qp;
    private final EventConsequences consequences;

    /** Serialises commands, and the processing of an event with the commands: an event finds the state they leave. */
    private final ReentrantLock lock = new ReentrantLock();

    private final AtomicInteger unacknowledged = new AtomicInteger();
    private volatile CmState state;
    private volatile @Nullable Object attachment;

    private CmId(
            EventChannel channel,
            PortSpace portSpace,
            long uid,
            int handle,
            CmState state,
            @Nullable EventReply request) {
        this.channel = channel;
        this.portSpace = portSpace;
        this.uid = uid;
        this.handle = handle;
        this.state = state;
        this.request = request;
        this.binding = new Binding(channel, handle);
        this.qp = new ConnectionQp(channel.ucm(), handle);
        this.consequences = new EventConsequences(channel.ucm(), handle, binding, qp);
    }

    static CmId created(EventChannel channel, PortSpace portSpace, long uid, int handle) {
        return new CmId(channel, portSpace, uid, handle, CmState.IDLE, null);
    }

    /** The new id of a connect request, with what the kernel knows of it. */
    static CmId requested(EventChannel channel, CmId listener, long uid, EventReply request) throws RdmaException {
        CmId child = new CmId(channel, listener.portSpace, uid, request.id(), CmState.REQUESTED, request);
        try {
            child.binding.learnAddresses();
            child.binding.learnRoute();
        } catch (RdmaException e) {
            child.close();
            throw e;
        }
        return child;
    }

    // What the id is.

    public EventChannel channel() {
        return channel;
    }

    public PortSpace portSpace() {
        return portSpace;
    }

    public CmState state() {
        return state;
    }

    long uid() {
        return uid;
    }

    /** The address on this side, once bound. */
    public Optional<InetSocketAddress> localAddress() {
        return inet(binding.localAddress());
    }

    /** The peer's address, once resolved or requested. */
    public Optional<InetSocketAddress> peerAddress() {
        return inet(binding.peerAddress());
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

    /** The queue pair made by {@link #createQp}. */
    public Optional<QueuePair> qp() {
        return Optional.ofNullable(qp.get());
    }

    /** Remembers an object of the caller's with the id ({@code rdma_cm_id.context}). */
    public void attach(@Nullable Object object) {
        attachment = object;
    }

    public @Nullable Object attachment() {
        return attachment;
    }

    /** How many retrieved events of the id have not been acknowledged. */
    public int unacknowledgedEvents() {
        return unacknowledged.get();
    }

    void eventAcknowledged() {
        unacknowledged.decrementAndGet();
    }

    // Addresses.

    /**
     * Gives the id a local address ({@code rdma_bind_addr(3)}). Port 0 takes a free one; a wildcard address binds to
     * every device, present and future.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EADDRINUSE or EADDRNOTAVAIL when address or port are not to be had,
     *     ENODEV when no RDMA device has the address, EACCES for a port below 1024 without privilege
     */
    public void bind(InetSocketAddress address) throws RdmaException {
        requireResolved(address);
        command(CmCommand.BIND, () -> {
            channel.ucm().bind(new BindCommand(handle, address));
            binding.learnAddresses();
        });
    }

    /** Starts to look up the peer from whatever local address leads to it; see the other form. */
    public void resolveAddress(InetSocketAddress destination, Duration timeout) throws RdmaException {
        startResolving(null, destination, timeout);
    }

    /**
     * Starts to look up the device and the hardware address for a peer ({@code rdma_resolve_addr(3)}); ADDR_RESOLVED or
     * ADDR_ERROR follows. {@code timeout} bounds the wait for the peer's hardware address, in whole milliseconds.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException ENETUNREACH and the like when there is no way to the peer; no event
     *     follows then, and another address may be tried
     */
    public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws RdmaException {
        requireResolved(source);
        startResolving(source, destination, timeout);
    }

    private void startResolving(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout)
            throws RdmaException {
        requireResolved(destination);
        int millis = millis(timeout);
        command(CmCommand.RESOLVE_ADDRESS, () -> {
            channel.ucm().resolveAddress(new ResolveAddrCommand(handle, millis, source, destination));
            binding.expectPeer(destination);
        });
    }

    /** Starts to look up the route to the peer ({@code rdma_resolve_route(3)}); ROUTE_RESOLVED or ROUTE_ERROR follows. */
    public void resolveRoute(Duration timeout) throws RdmaException {
        int millis = millis(timeout);
        command(CmCommand.RESOLVE_ROUTE, () -> channel.ucm().resolveRoute(handle, millis));
    }

    private static void requireResolved(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("the name " + address.getHostString() + " has no address");
        }
    }

    private static int millis(Duration timeout) {
        long millis = timeout.toMillis();
        if (millis <= 0) {
            throw new IllegalArgumentException(
                    "a timeout of " + timeout + ": the kernel counts in milliseconds from 1");
        }
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }

    // Connections.

    /**
     * Takes connect requests from now on ({@code rdma_listen(3)}); each comes as a CONNECT_REQUEST event.
     *
     * @param backlog how many requests may wait to be retrieved, from 1; the kernel has a maximum of its own
     */
    public void listen(int backlog) throws RdmaException {
        if (backlog <= 0) {
            throw new IllegalArgumentException("a backlog of " + backlog);
        }
        command(CmCommand.LISTEN, () -> {
            channel.ucm().listen(handle, backlog);
            binding.learnAddresses();
        });
    }

    /**
     * Makes the queue pair of the connection in the shared protection domain and moves it to INIT, so that receives can
     * be posted ({@code rdma_create_qp(3)}). The id closes it.
     */
    public QueuePair createQp(QueuePairOptions options) throws RdmaException {
        return createQp(pd(), options);
    }

    /** As {@link #createQp(QueuePairOptions)}, in a protection domain on {@link #context()}. */
    public QueuePair createQp(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        if (portSpace.isDatagram()) {
            throw new IllegalArgumentException("datagram queue pairs are not supported yet: " + this);
        }
        if (pd.context() != context()) {
            throw new IllegalArgumentException(pd + " belongs to another device context than " + this);
        }
        command(CmCommand.CREATE_QP, () -> {
            if (qp.get() != null) {
                throw new IllegalStateException(this + " has a queue pair already");
            }
            qp.create(pd, options);
        });
        return Objects.requireNonNull(qp.get());
    }

    /**
     * The attributes that the connection wants a queue pair to have in {@code state} ({@code rdma_init_qp_attr(3)}): for
     * a queue pair that was not made by {@link #createQp}.
     */
    public QpAttr initQpAttributes(QpState state) throws RdmaException {
        lock.lock();
        try {
            ensureOpen();
            return channel.ucm().initQpAttr(handle, state.code());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Asks the peer for a connection ({@code rdma_connect(3)}); ESTABLISHED, REJECTED, UNREACHABLE or CONNECT_ERROR
     * follows, or CONNECT_RESPONSE for an id without a queue pair.
     *
     * @throws IllegalArgumentException for more than {@link ConnectionParameters#MAX_REQUEST_PRIVATE_DATA} bytes of
     *     private data, or more outstanding reads than the device can do
     */
    public void connect(ConnectionParameters parameters) throws RdmaException {
        command(CmCommand.CONNECT, () -> {
            ConnParam request = parameters.request(requireDevice(), qp.numberOr(parameters.qpNumber()));
            channel.ucm().connect(new ConnectCommand(handle, request, Ece.NONE));
        });
    }

    /**
     * Accepts a connect request ({@code rdma_accept(3)}); ESTABLISHED follows when the peer has heard of it. The id's
     * queue pair is ready to send and to receive before the peer hears of it; post receives before this.
     *
     * @throws IllegalArgumentException for more than {@link ConnectionParameters#MAX_REPLY_PRIVATE_DATA} bytes of private
     *     data, or more outstanding reads than the device can do
     * @throws io.github.rdma4j.kernel.ErrnoException EINVAL also when the peer has given up meanwhile
     */
    public void accept(ConnectionParameters parameters) throws RdmaException {
        command(CmCommand.ACCEPT, () -> {
            ConnParam asked = Objects.requireNonNull(request).conn();
            ConnParam reply = parameters.reply(asked, requireDevice(), qp.numberOr(parameters.qpNumber()));
            qp.makeReady(reply.responderResources(), reply.initiatorDepth());
            try {
                channel.ucm().accept(new AcceptCommand(handle, uid, reply, Ece.NONE));
            } catch (RdmaException e) {
                qp.flushAfter(e);
                throw e;
            }
        });
    }

    /**
     * Says no to a connect request ({@code rdma_reject(3)}); the peer's REJECTED event has reason 28 and the bytes. Only
     * closing the id is left then.
     *
     * @throws IllegalArgumentException for more than {@link ConnectionParameters#MAX_REJECT_PRIVATE_DATA} bytes
     */
    public void reject(byte[] privateData) throws RdmaException {
        ConnectionParameters.requireFits(privateData.length, ConnectionParameters.MAX_REJECT_PRIVATE_DATA, "rejection");
        command(CmCommand.REJECT, () -> channel.ucm().reject(new RejectCommand(handle, privateData, 0)));
    }

    /**
     * Completes a connection whose queue pair is not the id's, after CONNECT_RESPONSE and after that queue pair was made
     * ready ({@code rdma_establish(3)}). No event follows on this side.
     */
    public void establish() throws RdmaException {
        command(CmCommand.ESTABLISH, consequences::sendReadyToUse);
    }

    /**
     * Ends the connection, or answers a DISCONNECTED event, and flushes both queues ({@code rdma_disconnect(3)}). The
     * side that starts gets its DISCONNECTED event when the other has answered.
     */
    public void disconnect() throws RdmaException {
        command(CmCommand.DISCONNECT, () -> {
            qp.flush();
            channel.ucm().disconnect(handle);
        });
    }

    // Events.

    /** Does what belongs to an event of this id; empty when the event is of no interest to anybody. */
    Optional<CmEvent> process(EventReply reply) {
        lock.lock();
        try {
            CmEventType type = CmEventType.of(reply.event());
            if (state == CmState.DESTROYED) {
                return Optional.empty();
            }
            if (type == CmEventType.CONNECT_REQUEST) {
                return Optional.of(processRequest(reply));
            }
            if (consequences.isAftermath(type)) {
                return Optional.empty();
            }
            EventConsequences.Outcome outcome = consequences.of(type);
            state = CmStateMachine.after(state, outcome.type());
            return Optional.of(deliver(this, reply, outcome.type(), outcome.failure()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * A request whose new id cannot be looked at is answered by its destruction: the peer sees a rejection, and the
     * listener a CONNECT_ERROR with the cause.
     */
    private CmEvent processRequest(EventReply reply) {
        try {
            return deliver(channel.adoptChild(this, reply), reply, CmEventType.CONNECT_REQUEST, null);
        } catch (RdmaException e) {
            return deliver(this, reply, CmEventType.CONNECT_ERROR, e);
        }
    }

    private CmEvent deliver(CmId about, EventReply reply, CmEventType type, @Nullable RdmaException failure) {
        unacknowledged.incrementAndGet();
        return new CmEvent(this, about, reply, type, failure);
    }

    private SharedDevice requireDevice() {
        SharedDevice bound = binding.device();
        if (bound == null) {
            throw new IllegalStateException(this + " is not bound to an RDMA device: bind it to the address of one, or"
                    + " resolve an address that one leads to");
        }
        return bound;
    }

    // Commands and closing.

    @FunctionalInterface
    private interface Action {
        void run() throws RdmaException;
    }

    private void command(CmCommand command, Action action) throws RdmaException {
        lock.lock();
        try {
            ensureOpen();
            CmState next = CmStateMachine.after(state, command)
                    .orElseThrow(() -> new IllegalStateException(command + " is not possible for " + this
                            + "; it is from " + CmStateMachine.statesFor(command)));
            action.run();
            state = next;
        } finally {
            lock.unlock();
        }
    }

    private void ensureOpen() {
        if (state == CmState.DESTROYED) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /**
     * Destroys the queue pair made through the id, then the id ({@code rdma_destroy_id(3)}). The peer of a connection
     * gets DISCONNECTED, the peer of an unanswered request REJECTED. Events of the id that were not retrieved are gone.
     * Does not wait for acknowledgements, and so cannot deadlock. Idempotent; from any thread.
     */
    @Override
    public void close() throws RdmaException {
        lock.lock();
        try {
            if (state == CmState.DESTROYED) {
                return;
            }
            state = CmState.DESTROYED;
            channel.forget(uid);
            destroyAll();
        } finally {
            lock.unlock();
        }
    }

    /** Each step is taken whatever became of the one before; the first failure is thrown in the end. */
    private void destroyAll() throws RdmaException {
        RdmaException failure = null;
        for (Action step : List.<Action>of(qp::close, this::destroyHandle, binding::release)) {
            try {
                step.run();
            } catch (RdmaException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void destroyHandle() throws RdmaException {
        if (!channel.isClosed()) {
            channel.ucm().destroyId(handle);
        }
    }

    /** Local and peer address for messages. */
    String describeAddresses() {
        return binding.toString();
    }

    @Override
    public String toString() {
        return "CmId[" + portSpace + " " + describeAddresses() + ", " + state + "]";
    }
}
