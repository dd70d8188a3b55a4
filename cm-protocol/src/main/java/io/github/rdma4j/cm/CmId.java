// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.Query.QueryGidReply;
import io.github.rdma4j.internal.ucm.WriteCmEventCommand;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SrqOptions;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
public final class CmId implements AutoCloseable {
    private final IdChannel channel;
    private final CmIdCore core;
    private final Binding binding;
    private final ConnectionQp qp;
    private final CmQueues queues;
    private final ExternalQp externalQp;
    private final ConnectionCommands connection;
    private final CmMulticast multicast;
    private final ChannelMember member;
    private final Migration migration;

    private volatile @Nullable Object attachment;

    private CmId(Retrieval on, CmIdCore.Identity identity, CmState state, @Nullable EventReply request) {
        IdResources resources = new IdResources();
        channel = new IdChannel(on, new IdLock(() -> member().eventsWait()));
        core = new CmIdCore(identity, channel.lock(), channel::ucm, state);
        binding = new Binding(core, resources);
        qp = new ConnectionQp(core, binding, resources);
        queues = new CmQueues(core, binding, qp);
        externalQp = new ExternalQp(core, qp, request == null ? Ece.NONE : request.ece());
        connection = new ConnectionCommands(core, binding, qp, externalQp, request);
        multicast = new CmMulticast(core, channel, binding, qp, this);
        EventConsequences consequences = new EventConsequences(core, binding, qp, externalQp);
        IdEvents events = new IdEvents(core, channel, consequences, new Requests(this), this::forUser);
        member = new ChannelMember(core, channel, resources, events, multicast::sinks);
        migration = new Migration(core, channel, member);
        resources.releaseWithout(core);
    }

    static CmId created(Retrieval channel, CmIdCore.Identity identity) {
        return new CmId(channel, identity, CmState.IDLE, null);
    }

    /** The new id of a connect request, on the channel {@code on}; {@link #learnRequest} must follow. */
    static CmId requested(Retrieval on, CmId listener, long uid, EventReply request) {
        CmIdCore.Identity identity =
                new CmIdCore.Identity(listener.portSpace(), listener.queuePairType(), uid, request.id());
        return new CmId(on, identity, CmState.REQUESTED, request);
    }

    /** Asks the kernel for the addresses, the device and the route of a connect request. */
    void learnRequest() throws RdmaException {
        binding.learnAddresses();
        binding.learnRoute();
    }

    private CmEvent forUser(EventReply reply, EventConsequences.Outcome outcome) {
        return CmEvent.of(this, reply, outcome.type(), outcome.failure());
    }

    CmIdCore core() {
        return core;
    }

    /** The id as its channel knows it. */
    ChannelMember member() {
        return member;
    }

    Retrieval retrieval() {
        return channel.get();
    }

    // What the id is.

    /** The state of the id; events change it when they are retrieved. */
    public CmState state() {
        return core.state();
    }

    /** The channel that the events of the id come through; {@link #migrate} changes it. */
    public EventChannel channel() {
        return EventChannel.of(channel.get());
    }

    public PortSpace portSpace() {
        return core.portSpace();
    }

    /** The type of queue pair that the id is for. */
    public QueuePairType queuePairType() {
        return core.type();
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
        return core.eventCount().outstanding();
    }

    /** The address on this side, once bound. */
    public Optional<InetSocketAddress> localAddress() {
        return inet(core.addresses().local());
    }

    /** The peer's address, once resolved or requested. */
    public Optional<InetSocketAddress> peerAddress() {
        return inet(core.addresses().peer());
    }

    /** The InfiniBand address on this side, of an id that was bound to one. */
    public Optional<IbSocketAddress> localIbAddress() {
        return core.addresses().local() instanceof IbSocketAddress ib ? Optional.of(ib) : Optional.empty();
    }

    private static Optional<InetSocketAddress> inet(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress inet ? Optional.of(inet) : Optional.empty();
    }

    /** True once the id is bound to a device: a wildcard or loopback address binds to none. */
    public boolean hasDevice() {
        return binding.device() != null;
    }

    /**
     * The device of the id, shared with all other ids on it. Make completion queues on it; do not close it. It stays open, and ids
     * that come later get the same object, as long as an id is bound to the device or anything made on the context is open: what
     * is shared by connections that come and go may be made on it.
     *
     * @throws IllegalStateException when the id is not bound to a device
     */
    public DeviceContext context() {
        return binding.requireDevice().context();
    }

    /**
     * The protection domain that all ids on the device share. Register memory in it, or in a protection domain of your
     * own; do not close the shared one.
     *
     * @throws IllegalStateException when the id is not bound to a device
     */
    public ProtectionDomain pd() {
        return binding.requireDevice().pd();
    }

    /** The port of the device, from 1; 0 while the id is not bound to one. */
    public int portNumber() {
        return binding.portNumber();
    }

    /**
     * The partition key of the id; 0 while it is not bound to a device, and on Ethernet, where only {@link #paths()} have
     * one.
     */
    public int partitionKey() {
        return binding.partitionKey();
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
        binding.bind(address);
    }

    /** Starts to look up the peer from whatever local address leads to it; see the other form. */
    public void resolveAddress(SocketAddress destination, Duration timeout) throws RdmaException {
        Arguments.requireResolved(destination);
        binding.resolveAddress(null, destination, Arguments.millis(timeout));
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
        Arguments.requireResolved(destination);
        binding.resolveAddress(source, destination, Arguments.millis(timeout));
    }

    /** Starts to look up the route to the peer ({@code rdma_resolve_route(3)}); ROUTE_RESOLVED or ROUTE_ERROR follows. */
    public void resolveRoute(Duration timeout) throws RdmaException {
        binding.resolveRoute(Arguments.millis(timeout));
    }

    // Connections.

    /**
     * Takes connect requests from now on ({@code rdma_listen(3)}); each comes as a CONNECT_REQUEST event.
     *
     * @param backlog how many requests may wait to be retrieved, from 1; the kernel has a maximum of its own
     *     ({@code net.rdma_ucm.max_backlog}, 1024), which it takes for a larger number. 0 is refused, because it means that maximum to
     *     the kernel and next to nothing to listen(2); pass {@code Integer.MAX_VALUE} for the maximum.
     */
    public void listen(int backlog) throws RdmaException {
        if (backlog <= 0) {
            throw new IllegalArgumentException("the backlog is " + backlog + "; it must be 1 or more, "
                    + "Integer.MAX_VALUE for the kernel's maximum");
        }
        binding.listen(backlog);
    }

    /**
     * Asks the peer for a connection ({@code rdma_connect(3)}); ESTABLISHED, REJECTED, UNREACHABLE or CONNECT_ERROR
     * follows, or CONNECT_RESPONSE for an id without a queue pair.
     *
     * @throws IllegalArgumentException for more than {@link ConnectionParameters#MAX_REQUEST_PRIVATE_DATA} bytes of
     *     private data, or more outstanding reads than the device can do
     */
    public void connect(ConnectionParameters parameters) throws RdmaException {
        connection.connect(Objects.requireNonNull(
                parameters, "the parameters are null; ConnectionParameters.DEFAULT is what C takes NULL for"));
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
        connection.accept(parameters);
    }

    /**
     * Says no to a connect request ({@code rdma_reject(3)}); the peer's REJECTED event has reason 28 and the bytes, or on a
     * datagram id UNREACHABLE with status 2. Only closing the id is left then.
     *
     * @throws IllegalArgumentException for more private data than the rejection carries
     */
    public void reject(byte[] privateData) throws RdmaException {
        connection.reject(privateData, 0);
    }

    /** As {@link #reject}, because the peer's {@link Ece} does not suit: reason 35 ({@code rdma_reject_ece(3)}). */
    public void rejectEce(byte[] privateData) throws RdmaException {
        connection.reject(privateData, RejectReason.VENDOR_OPTION_NOT_SUPPORTED.code());
    }

    /**
     * Ends the connection, or answers a DISCONNECTED event, and flushes both queues ({@code rdma_disconnect(3)}). The
     * side that starts gets its DISCONNECTED event when the other has answered. The peer of a datagram id hears nothing,
     * and no event follows.
     */
    public void disconnect() throws RdmaException {
        connection.disconnect();
    }

    // Queues.

    /** The queue pair made by {@link #createQp}. */
    public Optional<QueuePair> qp() {
        return Optional.ofNullable(qp.get());
    }

    /** The queue pair with its completion queues: registers memory, posts, and waits for completions. */
    public CmQueues queues() {
        return queues;
    }

    /**
     * Makes the queue pair of the id in the shared protection domain and moves it to INIT, so that receives can be posted;
     * a datagram queue pair goes on to RTS ({@code rdma_create_qp(3)}). The id closes it. A queue that was given no
     * completion queue gets one of its own, with a completion channel, for {@link #queues()}. The type is {@link
     * #queuePairType()}, whatever the options say.
     */
    public QueuePair createQp(QueuePairOptions options) throws RdmaException {
        return qp.create(pd(), options);
    }

    /** As {@link #createQp(QueuePairOptions)}, in a protection domain on {@link #context()}. */
    public QueuePair createQp(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        return qp.create(pd, options);
    }

    /** Destroys the id's queue pair, and the completion queues made with it ({@code rdma_destroy_qp(3)}). */
    public void destroyQp() throws RdmaException {
        qp.destroy();
    }

    /**
     * Makes a shared receive queue in the shared protection domain, which queue pairs made through the id afterwards take
     * their receives from ({@code rdma_create_srq(3)}). The id closes it, and with it the queue pairs that take their receives from
     * it, of whatever ids: when that is a listener whose connections shall outlive it, make the queue in the protection domain
     * instead. In C such a queue stays, with EBUSY.
     */
    public SharedReceiveQueue createSrq(SrqOptions options) throws RdmaException {
        return qp.createSrq(options);
    }

    /** The shared receive queue made by {@link #createSrq}. */
    public Optional<SharedReceiveQueue> srq() {
        return Optional.ofNullable(qp.srq());
    }

    // Further sides of the id.

    /** The options of the id ({@code rdma_set_option(3)}). */
    public CmOptions options() {
        return new CmOptions(core);
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
        return new CmServices(core);
    }

    /**
     * Puts a USER event behind the events of the id ({@code rdma_write_cm_event(3)}): it comes through the channel in
     * order, with {@code status} and {@code argument}. Needs Linux 6.18.
     *
     * @throws io.github.rdma4j.kernel.UnsupportedByKernelException on older kernels
     */
    public void writeEvent(int status, long argument) throws RdmaException {
        WriteCmEventCommand body = new WriteCmEventCommand(core.handle(), CmEventType.USER.code(), status, argument);
        core.command(CmCommand.WRITE_EVENT, () -> core.ucm().writeCmEvent(body));
    }

    // Migration.

    /** As {@link #migrate(EventChannel, Duration)}, without a limit. */
    public void migrate(EventChannel to) throws RdmaException, InterruptedException {
        migration.run(to.retrieval(), Deadline.never());
    }

    /**
     * Moves the id to another channel ({@code rdma_migrate_id(3)}): events that were not retrieved come through it, in
     * order, and so do all later ones. Then waits until the events that were retrieved from the old channel, those of its
     * memberships included, are acknowledged. A thread that has not acknowledged such an event must not call this: it would
     * wait for itself.
     *
     * @throws CmTimeoutException when they were not acknowledged in time: the id has moved all the same
     * @throws InterruptedException when the thread was interrupted while it waited: the id has moved all the same
     */
    public void migrate(EventChannel to, Duration timeout) throws RdmaException, InterruptedException {
        migration.run(to.retrieval(), Deadline.after(timeout));
    }

    // Closing.

    /**
     * Destroys the queues made through the id, then the id ({@code rdma_destroy_id(3)}). The peer of a connection
     * gets DISCONNECTED, the peer of an unanswered request REJECTED. Events of the id that were not retrieved are gone.
     * Does not wait for acknowledgements, and so cannot deadlock; the kernel itself may take up to 100 s over an id whose
     * rejection or failed accept the peer has not answered, and that holds up only the thread that
     * closes. Idempotent; from any thread. A second call returns at once, also while the first is under way.
     */
    @Override
    public void close() throws RdmaException {
        member.close();
    }

    @Override
    public String toString() {
        return core.toString();
    }
}
