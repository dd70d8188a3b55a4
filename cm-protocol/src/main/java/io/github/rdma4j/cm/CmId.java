// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
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
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
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
 * <p>A command that needs the network only starts here. The outcome comes as an event of the {@link EventChannel}; the {@link #state()}
 * changes when that event is retrieved. The methods of {@link BlockingCmId} wait for the outcome. A command that the state does not
 * allow is refused with {@link IllegalStateException}. A command that the kernel refuses leaves the state as it was. When the kernel
 * takes a command and the device cannot be opened, the method throws: close such an id. Safe for use by several threads.
 *
 * <p>Closing ends the connection for the peer, destroys the queues made through the id, and leaves the multicast groups, in any state
 * and also with unacknowledged events. When an id and its channel become garbage, the queues are destroyed too.
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
    private final UserManagedQp userManagedQp;
    private final ConnectionCommands connection;
    private final CmMulticast multicast;
    private final ChannelMember member;
    private final Migration migration;

    private volatile @Nullable Object attachment;

    private CmId(Retrieval on, CmIdCore.Identity identity, CmState state, @Nullable EventReply request) {
        IdResources resources = new IdResources();
        channel = new IdChannel(on, new IdLock(() -> member().wakeChannel()));
        core = new CmIdCore(identity, channel.lock(), channel::ucm, state);
        binding = new Binding(core, resources);
        qp = new ConnectionQp(core, binding, resources);
        queues = new CmQueues(core, binding, qp);
        userManagedQp = new UserManagedQp(core, qp, request == null ? Ece.NONE : request.ece());
        connection = new ConnectionCommands(core, binding, qp, userManagedQp, request);
        multicast = new CmMulticast(core, channel, binding, qp, this);
        EventConsequences consequences = new EventConsequences(core, binding, qp, userManagedQp);
        Requests requests = new Requests(this);
        IdEvents events = new IdEvents(core, channel, consequences, requests, (r, o) -> CmEvent.of(this, r, o));
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

    CmIdCore core() {
        return core;
    }

    ChannelMember member() {
        return member;
    }

    Retrieval retrieval() {
        return channel.get();
    }

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
        return core.addresses().localInet();
    }

    /** The peer's address, once resolved or requested. */
    public Optional<InetSocketAddress> peerAddress() {
        return core.addresses().peerInet();
    }

    /** The InfiniBand address on this side, of an id that was bound to one. */
    public Optional<IbSocketAddress> localIbAddress() {
        return core.addresses().local() instanceof IbSocketAddress ib ? Optional.of(ib) : Optional.empty();
    }

    /** True once the id is bound to a device: a wildcard or loopback address binds to none. */
    public boolean hasDevice() {
        return binding.device() != null;
    }

    /**
     * The device of the id, which all ids on the device share; do not close it. The context stays open, and later ids get the same
     * object, while an id is bound to the device or anything made on the context is open.
     *
     * @throws IllegalStateException when the id is not bound to a device
     */
    public DeviceContext context() {
        return binding.requireDevice().context();
    }

    /** The protection domain of {@link #context()} that all ids on the device share; do not close it. */
    public ProtectionDomain pd() {
        return binding.requireDevice().pd();
    }

    /** The port of the device, from 1; 0 while the id is not bound to one. */
    public int portNumber() {
        return binding.portNumber();
    }

    /** The partition key of the id; 0 while the id is not bound to a device, and on Ethernet: see {@link #paths()} there. */
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

    /**
     * Gives the id a local address ({@code rdma_bind_addr(3)}), an {@link InetSocketAddress} or an {@link IbSocketAddress}. Port 0
     * takes a free port. A wildcard address binds to every device, present and future, and a loopback address to none.
     *
     * @throws UnresolvedNameException when the address is a name that has no address
     * @throws io.github.rdma4j.kernel.ErrnoException EADDRINUSE or EADDRNOTAVAIL when address or port cannot be used, ENODEV when
     *     no RDMA device has the address, EACCES for a port below 1024, EINVAL for a link-local IPv6 address without a scope
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
     * ADDR_ERROR follows. {@code timeout} limits the wait for the hardware address, in whole milliseconds. An id that is bound
     * already takes no other source than the address that it is bound to.
     *
     * @throws UnresolvedNameException when an address is a name that has no address
     * @throws io.github.rdma4j.kernel.ErrnoException ENETUNREACH and the like when there is no way to the peer. No event follows
     *     then, the id is bound to its source or to the wildcard, and another peer may be tried
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

    /**
     * Takes connect requests from now on ({@code rdma_listen(3)}); each comes as a CONNECT_REQUEST event.
     *
     * @param backlog how many requests may wait to be retrieved, from 1. For more than its maximum ({@code
     *     net.rdma_ucm.max_backlog}, 1024) the kernel takes the maximum. 0 is refused: listen(2) and the kernel disagree about it.
     */
    public void listen(int backlog) throws RdmaException {
        binding.listen(Arguments.backlog(backlog));
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
     * Accepts a connect request ({@code rdma_accept(3)}); ESTABLISHED follows when the peer knows, but not on a datagram id. The
     * queue pair of the id is ready before the peer knows: post receives before this call.
     *
     * @throws IllegalArgumentException for more private data than the reply carries, or more outstanding reads than the device has
     * @throws io.github.rdma4j.kernel.ErrnoException EINVAL also when the peer has given up meanwhile
     */
    public void accept(ConnectionParameters parameters) throws RdmaException {
        connection.accept(parameters);
    }

    /**
     * Refuses a connect request ({@code rdma_reject(3)}): the peer gets REJECTED with reason 28 and the bytes, or on a datagram id
     * UNREACHABLE with status 2. Close the id then.
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
     * Ends the connection, or answers a DISCONNECTED event, and flushes both queues ({@code rdma_disconnect(3)}). DISCONNECTED
     * follows when the peer has answered. On a datagram id no event follows, and the peer is not told.
     */
    public void disconnect() throws RdmaException {
        connection.disconnect();
    }

    /** The queue pair made by {@link #createQp}. */
    public Optional<QueuePair> qp() {
        return Optional.ofNullable(qp.get());
    }

    /** The queue pair with its completion queues: registers memory, posts, and waits for completions. */
    public CmQueues queues() {
        return queues;
    }

    /**
     * Makes the queue pair of the id in the shared protection domain ({@code rdma_create_qp(3)}), in INIT, or in RTS for datagrams.
     * The id closes it. A queue without a completion queue in the options gets its own, with a completion channel, for {@link
     * #queues()}. The type is {@link #queuePairType()}, whatever the options say.
     */
    public QueuePair createQp(QueuePairOptions options) throws RdmaException {
        return qp.create(pd(), options);
    }

    /** As {@link #createQp(QueuePairOptions)}, in a protection domain on {@link #context()}. */
    public QueuePair createQp(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        return qp.create(pd, options);
    }

    /**
     * Makes a shared receive queue in the shared protection domain, for the queue pairs that are made through the id afterwards
     * ({@code rdma_create_srq(3)}). The id closes the queue, and with it every queue pair that takes receives from it, also of other
     * ids. For connections that outlive their listener, make the queue in the protection domain.
     */
    public SharedReceiveQueue createSrq(SharedReceiveQueueOptions options) throws RdmaException {
        return qp.createSrq(options);
    }

    /** The shared receive queue made by {@link #createSrq}. */
    public Optional<SharedReceiveQueue> srq() {
        return Optional.ofNullable(qp.srq());
    }

    /** Changes the options of the id ({@code rdma_set_option(3)}). */
    public CmIdSettings settings() {
        return new CmIdSettings(core);
    }

    /** For a queue pair that is not made through the id. */
    public UserManagedQp userManagedQp() {
        return userManagedQp;
    }

    /** The multicast groups of the id. */
    public CmMulticast multicast() {
        return multicast;
    }

    /** The services that subnet administration knows. */
    public IbServices services() {
        return new IbServices(core);
    }

    /**
     * Puts a USER event with {@code status} and {@code argument} behind the events of the id ({@code rdma_write_cm_event(3)}).
     *
     * @throws io.github.rdma4j.kernel.UnsupportedByKernelException before Linux 6.18
     */
    public void writeEvent(int status, long argument) throws RdmaException {
        WriteCmEventCommand body = new WriteCmEventCommand(core.handle(), CmEventType.USER.code(), status, argument);
        core.command(CmCommand.WRITE_EVENT, () -> core.ucm().writeCmEvent(body));
    }

    /** As {@link #migrate(EventChannel, Duration)}, without a limit. */
    public void migrate(EventChannel to) throws RdmaException, InterruptedException {
        migration.run(to.retrieval(), Deadline.never());
    }

    /**
     * Moves the id to another channel ({@code rdma_migrate_id(3)}), with the events that were not retrieved. Then waits until the
     * events that were retrieved from the old channel, those of memberships included, are acknowledged. A thread that has not
     * acknowledged such an event must not call this method: it would wait for itself.
     *
     * @throws CmTimeoutException when the time ran out. The id has moved then, and also when the wait is interrupted.
     */
    public void migrate(EventChannel to, Duration timeout) throws RdmaException, InterruptedException {
        migration.run(to.retrieval(), Deadline.after(timeout));
    }

    /**
     * Destroys the queues made through the id, then the id ({@code rdma_destroy_id(3)}). The peer of a connection gets
     * DISCONNECTED, the peer of an unanswered request REJECTED. Events of the id that were not retrieved are lost. Does not wait
     * for acknowledgements. The kernel may take up to 100 s when the peer has not answered a rejection or a failed accept.
     * Idempotent; from any thread. A second call returns at once, also while the first is under way.
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
