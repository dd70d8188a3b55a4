// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.internal.ucm.AcceptCommand;
import io.github.rdma4j.internal.ucm.BindCommand;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.ConnectCommand;
import io.github.rdma4j.internal.ucm.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.DisconnectCommand;
import io.github.rdma4j.internal.ucm.EventReply;
import io.github.rdma4j.internal.ucm.ListenCommand;
import io.github.rdma4j.internal.ucm.RejectCommand;
import io.github.rdma4j.internal.ucm.ResolveAddrCommand;
import io.github.rdma4j.internal.ucm.ResolveRouteCommand;
import io.github.rdma4j.internal.ucm.UcmCommand;
import io.github.rdma4j.internal.ucm.WriteCmEventCommand;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairType;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection, or a listener: what a socket is to TCP ({@code rdma_create_id(3)}).
 *
 * <p>Commands that need the network only start here; their outcome comes as an event of the {@link EventChannel}, and
 * the id changes its {@link #state()} when that event is retrieved. A command that the state does not allow is refused
 * with {@link IllegalStateException}; a command that the kernel has refused leaves the state as it was. One that the kernel
 * has taken changes the state, also when the device that goes with it cannot be opened and the method throws for that; close
 * such an id. Safe for use by several threads.
 *
 * <p>An id that is {@link #migrate migrated} to another channel takes its undelivered events along. {@link BlockingCmId}
 * is an id with a channel to itself, whose methods wait for the outcome.
 *
 * <p>An id stays open with its channel. When both have become garbage unclosed, the queues made through the id are destroyed
 * too.
 *
 * <p>Closing ends the connection from the peer's point of view, destroys the queues made through the id, leaves its
 * multicast groups, and may be done in any state, with events unacknowledged as well.
 *
 * <pre>{@code
 * id.resolveAddress(server, Duration.ofSeconds(2));
 * expect(CmEventType.ADDR_RESOLVED, channel); // the id has a device now
 * id.resolveRoute(Duration.ofSeconds(2));
 * expect(CmEventType.ROUTE_RESOLVED, channel);
 * ...
 * QueuePair qp = id.createQp(QueuePairOptions.builder().cq(cq).build());
 * qp.postReceive(new ReceiveWorkRequest(1).add(region, 8, 8));
 * id.connect(ConnectionParameters.DEFAULT);
 * expect(CmEventType.ESTABLISHED, channel);
 * }</pre>
 */
public final class CmId extends QueuedId implements AutoCloseable {
    private final KernelId at;
    private final PortSpace portSpace;
    private final long uid;
    private final @Nullable EventReply request;
    private final ExternalQp externalQp;
    private final CmMulticast multicast;
    private final IdEvents events;
    private final EventCount eventCount = new EventCount();

    private volatile @Nullable Object attachment;
    private volatile @Nullable IdWatch watch;

    private CmId(
            EventChannel channel,
            PortSpace portSpace,
            QueuePairType type,
            long uid,
            int handle,
            CmState state,
            @Nullable EventReply request) {
        super(state, new Binding(new KernelId(channel, handle), new IdResources()), type);
        this.at = binding().at();
        this.portSpace = portSpace;
        this.uid = uid;
        this.request = request;
        this.externalQp = new ExternalQp(this, at, request == null ? Ece.NONE : request.ece());
        this.multicast = new CmMulticast(this, at);
        this.events = new IdEvents(this, new EventConsequences(at, binding(), connectionQp()));
        binding().resources().releaseWithout(this);
    }

    static CmId created(EventChannel channel, PortSpace portSpace, QueuePairType type, long uid, int handle) {
        return new CmId(channel, portSpace, type, uid, handle, CmState.IDLE, null);
    }

    /** The new id of a connect request, which is on the channel {@code on}; what the kernel knows of it is to be asked. */
    static CmId requested(EventChannel on, CmId listener, long uid, EventReply request) {
        return new CmId(
                on, listener.portSpace, listener.queuePairType(), uid, request.id(), CmState.REQUESTED, request);
    }

    void learnRequest() throws RdmaException {
        binding().learnAddresses();
        binding().learnRoute();
    }

    // What the id is.

    /** The channel that the events of the id come through; {@link #migrate} changes it. */
    public EventChannel channel() {
        return at.channel();
    }

    public PortSpace portSpace() {
        return portSpace;
    }

    long uid() {
        return uid;
    }

    /** Remembers an object of the caller's with the id ({@code rdma_cm_id.context}). */
    public void attach(@Nullable Object object) {
        attachment = object;
    }

    public @Nullable Object attachment() {
        return attachment;
    }

    /** Who has a channel for this id alone, or null. */
    @Nullable
    IdWatch watch() {
        return watch;
    }

    void watch(@Nullable IdWatch watchingAlone) {
        watch = watchingAlone;
    }

    /** How many retrieved events of the id have not been acknowledged. */
    public int unacknowledgedEvents() {
        return eventCount.outstanding();
    }

    EventCount eventCount() {
        return eventCount;
    }

    IdEvents events() {
        return events;
    }

    /** Who takes the events of the id and of its memberships, by uid. */
    Map<Long, EventSink> sinks() {
        Map<Long, EventSink> all = new HashMap<>(multicast.sinks());
        all.put(uid, events);
        return all;
    }

    // Addresses.

    /**
     * Gives the id a local address ({@code rdma_bind_addr(3)}), an {@link java.net.InetSocketAddress} or an {@link
     * IbSocketAddress}. Port 0 takes a free one; a wildcard address binds to every device, present and future, and a
     * loopback address to none.
     *
     * @throws UnresolvedNameException when the address is a name that has none
     * @throws io.github.rdma4j.kernel.ErrnoException EADDRINUSE or EADDRNOTAVAIL when address or port are not to be had,
     *     ENODEV when no RDMA device has the address, EACCES for a port below 1024 without privilege, EINVAL for a
     *     link-local IPv6 address without a scope
     */
    public void bind(SocketAddress address) throws RdmaException {
        Arguments.requireResolved(address);
        command(CmCommand.BIND, () -> bindTo(address));
    }

    private void bindTo(SocketAddress address) throws RdmaException {
        at.ucm().send(UcmCommand.BIND, address, new BindCommand(at.handle(), address)::encode);
        enter(CmState.BOUND);
        binding().learnAddresses();
    }

    /** Starts to look up the peer from whatever local address leads to it; see the other form. */
    public void resolveAddress(SocketAddress destination, Duration timeout) throws RdmaException {
        startResolving(null, destination, timeout);
    }

    /**
     * Starts to look up the device and the hardware address for a peer ({@code rdma_resolve_addr(3)}); ADDR_RESOLVED or
     * ADDR_ERROR follows. {@code timeout} bounds the wait for the peer's hardware address, in whole milliseconds. The
     * source of an id that is bound already must be the address it is bound to: an id does not move to another address.
     *
     * @throws UnresolvedNameException when an address is a name that has none
     * @throws io.github.rdma4j.kernel.ErrnoException ENETUNREACH and the like when there is no way to the peer; no event
     *     follows then, the id is bound to its source or to the wildcard, and another peer may be tried
     */
    public void resolveAddress(SocketAddress source, SocketAddress destination, Duration timeout) throws RdmaException {
        Arguments.requireResolved(source);
        startResolving(source, destination, timeout);
    }

    private void startResolving(@Nullable SocketAddress source, SocketAddress destination, Duration timeout)
            throws RdmaException {
        Arguments.requireResolved(destination);
        int millis = Arguments.millis(timeout);
        command(CmCommand.RESOLVE_ADDRESS, () -> {
            if (source != null && state() == CmState.IDLE) {
                bindTo(source);
            } else if (source != null) {
                binding().requireMayUse(source);
            }
            try {
                ResolveAddrCommand body = new ResolveAddrCommand(at.handle(), millis, source, destination);
                at.ucm().send(UcmCommand.RESOLVE_ADDR, destination, body::encode);
            } catch (RdmaException e) {
                if (binding().isBoundAfter(e)) {
                    enter(CmState.BOUND);
                }
                throw e;
            }
            binding().expectPeer(destination);
        });
    }

    /** Starts to look up the route to the peer ({@code rdma_resolve_route(3)}); ROUTE_RESOLVED or ROUTE_ERROR follows. */
    public void resolveRoute(Duration timeout) throws RdmaException {
        int millis = Arguments.millis(timeout);
        command(
                CmCommand.RESOLVE_ROUTE,
                () -> at.ucm().send(UcmCommand.RESOLVE_ROUTE, new ResolveRouteCommand(at.handle(), millis)::encode));
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
            at.ucm().send(UcmCommand.LISTEN, new ListenCommand(at.handle(), backlog)::encode);
            enter(CmState.LISTENING);
            binding().learnAddresses();
        });
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
            ConnParam param = parameters.request(
                    requireDevice(), connectionQp().numberOr(parameters.qpNumber()), privateDataLimits());
            ConnectCommand body =
                    new ConnectCommand(at.handle(), connectionQp().describe(param), externalQp.localEce());
            at.ucm().send(UcmCommand.CONNECT, body::encode);
        });
    }

    /**
     * Accepts a connect request ({@code rdma_accept(3)}); ESTABLISHED follows when the peer has heard of it, but not on a
     * datagram id, where the answer is all. The id's queue pair is ready to send and to receive before the peer hears of
     * it; post receives before this.
     *
     * @throws IllegalArgumentException for more private data than the reply carries, or more outstanding reads than the
     *     device can do
     * @throws io.github.rdma4j.kernel.ErrnoException EINVAL also when the peer has given up meanwhile
     */
    public void accept(ConnectionParameters parameters) throws RdmaException {
        int qpNumber = connectionQp().numberOr(parameters.qpNumber());
        if (queuePairType().isDatagram()) {
            command(CmCommand.ANSWER, () -> answer(parameters.answer(qpNumber, privateDataLimits())));
            return;
        }
        command(CmCommand.ACCEPT, () -> {
            ConnParam asked = Objects.requireNonNull(request).conn();
            ConnParam reply = parameters.reply(asked, requireDevice(), qpNumber, privateDataLimits());
            connectionQp().makeReady(reply.responderResources(), reply.initiatorDepth());
            try {
                answer(connectionQp().describe(reply));
            } catch (RdmaException e) {
                connectionQp().flushAfter(e);
                throw e;
            }
        });
    }

    private void answer(ConnParam reply) throws RdmaException {
        Ece ece =
                new Ece(externalQp.remoteEce().vendorId(), externalQp.localEce().attrMod());
        at.ucm().send(UcmCommand.ACCEPT, new AcceptCommand(at.handle(), uid, reply, ece)::encode);
    }

    /**
     * Says no to a connect request ({@code rdma_reject(3)}); the peer's REJECTED event has reason 28 and the bytes, or on a
     * datagram id UNREACHABLE with status 2. Only closing the id is left then.
     *
     * @throws IllegalArgumentException for more private data than the rejection carries
     */
    public void reject(byte[] privateData) throws RdmaException {
        reject(privateData, 0);
    }

    /** As {@link #reject}, because the peer's {@link Ece} does not suit: reason 35 ({@code rdma_reject_ece(3)}). */
    public void rejectEce(byte[] privateData) throws RdmaException {
        reject(privateData, RejectReason.VENDOR_OPTION_NOT_SUPPORTED.code());
    }

    private void reject(byte[] privateData, int reason) throws RdmaException {
        PrivateDataLimits.require(privateData.length, privateDataLimits().reject(), "rejection");
        command(
                CmCommand.REJECT,
                () -> at.ucm().send(UcmCommand.REJECT, new RejectCommand(at.handle(), privateData, reason)::encode));
    }

    private PrivateDataLimits privateDataLimits() {
        return PrivateDataLimits.of(queuePairType().isDatagram(), binding().isIp());
    }

    /**
     * Ends the connection, or answers a DISCONNECTED event, and flushes both queues ({@code rdma_disconnect(3)}). The
     * side that starts gets its DISCONNECTED event when the other has answered. The peer of a datagram id hears nothing,
     * and no event follows.
     */
    public void disconnect() throws RdmaException {
        command(queuePairType().isDatagram() ? CmCommand.LET_GO : CmCommand.DISCONNECT, () -> {
            connectionQp().flush();
            at.ucm().send(UcmCommand.DISCONNECT, new DisconnectCommand(at.handle())::encode);
        });
    }

    // Further sides of the id.

    /** The options of the id ({@code rdma_set_option(3)}). */
    public CmOptions options() {
        return new CmOptions(this, at);
    }

    /** For a queue pair that is not made through the id. */
    public ExternalQp externalQp() {
        return externalQp;
    }

    /** The multicast groups of the id. */
    public CmMulticast multicast() {
        return multicast;
    }

    /** The services that subnet administration knows. */
    public CmServices services() {
        return new CmServices(this, at);
    }

    /**
     * Puts a USER event behind the events of the id ({@code rdma_write_cm_event(3)}): it comes through the channel in
     * order, with {@code status} and {@code argument}. Needs Linux 6.18.
     *
     * @throws io.github.rdma4j.kernel.UnsupportedByKernelException on older kernels
     */
    public void writeEvent(int status, long argument) throws RdmaException {
        command(
                CmCommand.WRITE_EVENT,
                () -> at.ucm()
                        .writeCmEvent(new WriteCmEventCommand(at.handle(), CmEventType.USER.code(), status, argument)));
    }

    // Migration.

    /** As {@link #migrate(EventChannel, Duration)}, without a limit. */
    public void migrate(EventChannel to) throws RdmaException, InterruptedException {
        new Migration(this, at).run(to, Deadline.never());
    }

    /**
     * Moves the id to another channel ({@code rdma_migrate_id(3)}): events that were not retrieved come through it, in
     * order, and so do all later ones. Then waits until the events that were retrieved from the old channel, those of its
     * memberships included, are acknowledged; the thread that holds one of them would wait for itself.
     *
     * @throws CmTimeoutException when they were not acknowledged in time: the id has moved all the same
     * @throws InterruptedException when the thread was interrupted while it waited: the id has moved all the same
     */
    public void migrate(EventChannel to, Duration timeout) throws RdmaException, InterruptedException {
        new Migration(this, at).run(to, Deadline.after(timeout));
    }

    // Closing.

    /**
     * Destroys the queues made through the id, then the id ({@code rdma_destroy_id(3)}). The peer of a connection
     * gets DISCONNECTED, the peer of an unanswered request REJECTED. Events of the id that were not retrieved are gone.
     * Does not wait for acknowledgements, and so cannot deadlock; the kernel itself may take up to 100 s over an id whose
     * rejection or failed accept the peer has not answered (docs/cm-semantics.md), and that holds up the thread that closes and
     * nobody else. Idempotent; from any thread. A second call returns at once, also while the first is under way.
     */
    @Override
    public void close() throws RdmaException {
        if (end(null)) {
            destroyAll();
        }
    }

    /** Closes the id unless it has migrated from {@code channel} meanwhile. */
    void closeIfOn(EventChannel channel) throws RdmaException {
        if (end(channel)) {
            destroyAll();
        }
    }

    /** After this nobody does anything with the id but the one who closes it; false when somebody else does. */
    private boolean end(@Nullable EventChannel onlyOn) {
        Headroom.await();
        lock().lock();
        try {
            EventChannel channel = at.channel();
            if (state() == CmState.DESTROYED || (onlyOn != null && onlyOn != channel)) {
                return false;
            }
            enter(CmState.DESTROYED);
            channel.forget(this);
            return true;
        } finally {
            lock().unlock();
        }
    }

    /** Without the id's lock, which those want who find out that it is closed: the kernel may take its time. */
    private void destroyAll() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(connectionQp()::closeAll);
        failure.attempt(this::destroyHandle);
        failure.attempt(binding()::release);
        failure.attempt(events::end);
        failure.throwIfAny();
    }

    /** A channel that is closed has taken its ids along, and so does one that is closed at this moment. */
    private void destroyHandle() throws RdmaException {
        if (at.channel().isClosed()) {
            return;
        }
        try {
            at.ucm().send(UcmCommand.DESTROY_ID, new DestroyIdCommand(at.handle())::encode);
        } catch (IllegalStateException e) {
            if (!at.channel().isClosed()) {
                throw e;
            }
        }
    }

    /** Those who wait for the channel have to look; of a closed id, requests that it has read and not shown are to end. */
    @Override
    void eventsWait() {
        if (state() == CmState.DESTROYED) {
            for (Delivery left = lock().next(); left != null; left = lock().next()) {
                left.drop();
            }
        } else {
            at.channel().descriptor().wakeWaiters();
        }
    }

    @Override
    public String toString() {
        return "CmId[" + portSpace + " " + describeAddresses() + ", " + state() + "]";
    }
}
