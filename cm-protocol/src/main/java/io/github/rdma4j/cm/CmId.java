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
 * One end of a connection, or a listener; the RDMA counterpart of a socket ({@code rdma_create_id(3)}). Thread-safe.
 *
 * <p>A command that needs the network only starts an operation. The outcome arrives as an event on the
 * {@link EventChannel}; retrieving it changes the {@link #state()}. The methods of {@link BlockingCmId} wait for the
 * outcome. A command that the state does not allow throws {@link IllegalStateException}. A command that the kernel
 * rejects leaves the state unchanged. If the kernel accepts a command but the device cannot be opened, the method
 * throws; close such an id.
 *
 * <p>Closing an id ends its connection, destroys its queues, and leaves its multicast groups, in any state and with
 * unacknowledged events. The queues are also destroyed if an id and its channel are garbage-collected unclosed.
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
    private final Retrieval.Current current;
    private final CmIdCore core;
    private final Binding binding;
    private final ConnectionQp qp;
    private final CmQueues queues;
    private final UserManagedQp userManagedQp;
    private final CmMulticast multicast;
    private final ChannelMember member;

    private volatile @Nullable Object attachment;

    private CmId(Retrieval on, CmIdCore.Identity identity, CmState state, @Nullable EventReply request) {
        IdResources resources = new IdResources();
        current = new Retrieval.Current(on);
        IdLock lock = new IdLock(() -> member().wakeChannel());
        core = new CmIdCore(identity, lock, () -> current.channel.ucm, state);
        binding = new Binding(core, resources);
        qp = new ConnectionQp(core, binding, resources, request);
        queues = new CmQueues(core, binding, qp, resources);
        userManagedQp = new UserManagedQp(core, qp);
        multicast = new CmMulticast(core, current, binding, qp, this);
        IdEvents events = new IdEvents(core, binding, qp, new Requests(this, resources.left));
        member = new ChannelMember(core, current, resources, events, multicast::sinks);
        resources.releaseWithout(core);
    }

    static CmId created(Retrieval channel, CmIdCore.Identity identity) {
        return new CmId(channel, identity, CmState.IDLE, null);
    }

    /** Creates the id of a connect request on the channel {@code on}; {@link #learnRequest} must follow. */
    static CmId requested(Retrieval on, CmId listener, long uid, EventReply request) {
        var identity = new CmIdCore.Identity(listener.portSpace(), listener.queuePairType(), uid, request.id());
        return new CmId(on, identity, CmState.REQUESTED, request);
    }

    /** Queries the addresses, the device and the route of a connect request from the kernel. */
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
        return current.channel;
    }

    /** Returns the id's state. An event changes the state when it is retrieved. */
    public CmState state() {
        return core.state();
    }

    /** Returns the channel that delivers the id's events. {@link #migrate} changes the channel. */
    public EventChannel channel() {
        return EventChannel.of(current.channel);
    }

    /** Returns the port space in which the id was created. */
    public PortSpace portSpace() {
        return core.portSpace();
    }

    /** Returns the type of queue pair that the id uses. */
    public QueuePairType queuePairType() {
        return core.type();
    }

    /** Sets an arbitrary object that stays attached to the id ({@code rdma_cm_id.context}). */
    public void attach(@Nullable Object object) {
        attachment = object;
    }

    /** Returns the object that {@link #attach} set last, or null. */
    public @Nullable Object attachment() {
        return attachment;
    }

    /** Returns the number of retrieved events of the id that have not been acknowledged. */
    public int unacknowledgedEvents() {
        return core.eventCount.outstanding();
    }

    /** Returns the local address; empty until the id is bound. */
    public Optional<InetSocketAddress> localAddress() {
        return core.addresses.localInet();
    }

    /** Returns the peer's address; empty until address resolution starts or a connect request provides it. */
    public Optional<InetSocketAddress> peerAddress() {
        return core.addresses.peerInet();
    }

    /** Returns the local InfiniBand address; empty unless the id is bound to an {@link IbSocketAddress}. */
    public Optional<IbSocketAddress> localIbAddress() {
        return core.addresses.local() instanceof IbSocketAddress ib ? Optional.of(ib) : Optional.empty();
    }

    /** Returns true if the id is bound to a device. Binding to a wildcard or loopback address selects no device. */
    public boolean hasDevice() {
        return binding.device() != null;
    }

    /**
     * Returns the id's device, which all ids on the device share; do not close it. It stays open, and later ids get the
     * same object, as long as an id is bound to it or an object created on it is open.
     *
     * @throws IllegalStateException if the id is not bound to a device
     */
    public DeviceContext context() {
        return binding.requireDevice().context();
    }

    /** Returns the protection domain that all ids on the device share; do not close it. */
    public ProtectionDomain pd() {
        return binding.requireDevice().pd();
    }

    /** Returns the port number on the device, from 1; 0 if the id is not bound to a device. */
    public int portNumber() {
        return binding.portNumber();
    }

    /** Returns the partition key; 0 if the id has no device, and on Ethernet, where {@link #paths()} contains it. */
    public int partitionKey() {
        return binding.partitionKey();
    }

    /** Returns the GID of the local address; empty if the id is not bound to a device. */
    public Optional<Gid> sourceGid() {
        return Optional.ofNullable(binding.gids()).map(QueryGidReply::sgid);
    }

    /** Returns the GID of the peer; empty if the id is not bound to a device. */
    public Optional<Gid> destinationGid() {
        return Optional.ofNullable(binding.gids()).map(QueryGidReply::dgid);
    }

    /** Returns the path records of the route; an empty list until the route is resolved. */
    public List<PathRecord> paths() {
        return binding.paths();
    }

    /**
     * Binds the id to a local {@link InetSocketAddress} or {@link IbSocketAddress} ({@code rdma_bind_addr(3)}). Port 0
     * selects a free port. A wildcard address covers all devices, present and future. A loopback address selects no
     * device.
     *
     * @throws UnresolvedNameException if the address contains a host name that did not resolve
     * @throws io.github.rdma4j.kernel.ErrnoException EADDRINUSE or EADDRNOTAVAIL if address or port is not available,
     *     ENODEV if no RDMA device has the address, EACCES for a port below 1024, EINVAL for a missing IPv6 scope
     */
    public void bind(SocketAddress address) throws RdmaException {
        Arguments.requireResolved(address);
        binding.bind(address);
    }

    /** Like {@link #resolveAddress(SocketAddress, SocketAddress, Duration)}, from a source that the kernel selects. */
    public void resolveAddress(SocketAddress destination, Duration timeout) throws RdmaException {
        Arguments.requireResolved(destination);
        binding.resolveAddress(null, destination, Arguments.millis(timeout));
    }

    /**
     * Starts resolving the device and the hardware address for a peer ({@code rdma_resolve_addr(3)}). ADDR_RESOLVED or
     * ADDR_ERROR follows. {@code timeout} limits the wait for the hardware address, in whole milliseconds. If the id is
     * already bound, {@code source} must be its local address.
     *
     * @throws UnresolvedNameException if an address contains a host name that did not resolve
     * @throws io.github.rdma4j.kernel.ErrnoException ENETUNREACH or a similar error if there is no route to the peer.
     *     No event follows; the id stays bound to its source or to the wildcard address and can resolve another peer
     */
    public void resolveAddress(SocketAddress source, SocketAddress destination, Duration timeout) throws RdmaException {
        Arguments.requireResolved(source);
        Arguments.requireResolved(destination);
        binding.resolveAddress(source, destination, Arguments.millis(timeout));
    }

    /** Starts resolving the route ({@code rdma_resolve_route(3)}). ROUTE_RESOLVED or ROUTE_ERROR follows. */
    public void resolveRoute(Duration timeout) throws RdmaException {
        binding.resolveRoute(Arguments.millis(timeout));
    }

    /**
     * Starts listening for connect requests ({@code rdma_listen(3)}). Each request arrives as a CONNECT_REQUEST event.
     *
     * @param backlog the maximum number of pending requests, 0 or more; 0 and numbers above
     *     {@code net.rdma_ucm.max_backlog} (1024 by default) stand for that limit
     */
    public void listen(int backlog) throws RdmaException {
        binding.listen(Arguments.backlog(backlog));
    }

    /**
     * Sends a connect request ({@code rdma_connect(3)}). ESTABLISHED, REJECTED, UNREACHABLE or CONNECT_ERROR follows.
     * An id without a queue pair gets CONNECT_RESPONSE in place of ESTABLISHED.
     *
     * @throws IllegalArgumentException for more private data than a request carries (see {@link ConnectionParameters}),
     *     or for more outstanding RDMA reads than the device supports
     */
    public void connect(ConnectionParameters parameters) throws RdmaException {
        qp.connect(Objects.requireNonNull(parameters, "parameters is null; use ConnectionParameters.DEFAULT"));
    }

    /**
     * Accepts a connect request ({@code rdma_accept(3)}). ESTABLISHED follows when the peer has confirmed, except on a
     * datagram id. The id's queue pair becomes ready before the peer gets the reply: post receives before this call.
     *
     * @throws IllegalArgumentException for more private data than a reply carries, or too many reads for the device
     * @throws io.github.rdma4j.kernel.ErrnoException EINVAL, among other causes, if the peer has given up
     */
    public void accept(ConnectionParameters parameters) throws RdmaException {
        qp.accept(parameters);
    }

    /**
     * Rejects a connect request ({@code rdma_reject(3)}). The peer gets REJECTED with reason 28 and the private data; a
     * datagram peer gets UNREACHABLE with status 2. Close the id afterwards.
     *
     * @throws IllegalArgumentException for more private data than a rejection carries
     */
    public void reject(byte[] privateData) throws RdmaException {
        qp.reject(privateData, 0);
    }

    /** Like {@link #reject}, with reason 35: the peer's {@link Ece} is not supported ({@code rdma_reject_ece(3)}). */
    public void rejectEce(byte[] privateData) throws RdmaException {
        qp.reject(privateData, RejectReason.VENDOR_OPTION_NOT_SUPPORTED.code());
    }

    /**
     * Ends the connection or answers a DISCONNECTED event, and flushes both queues ({@code rdma_disconnect(3)}).
     * DISCONNECTED follows when the peer has answered. On a datagram id nothing is sent, and no event follows.
     */
    public void disconnect() throws RdmaException {
        qp.disconnect();
    }

    /** Returns the queue pair created by {@link #createQp}. */
    public Optional<QueuePair> qp() {
        return Optional.ofNullable(qp.get());
    }

    /** Returns the queue pair with its completion queues, to register memory, post, and wait for completions. */
    public CmQueues queues() {
        return queues;
    }

    /**
     * Creates the id's queue pair in the shared protection domain ({@code rdma_create_qp(3)}), in INIT, or in RTS on a
     * datagram id. Closing the id closes it. If the options lack a completion queue, the id creates one with a
     * completion channel, for {@link #queues()}. The type in the options is ignored; see {@link #queuePairType()}.
     */
    public QueuePair createQp(QueuePairOptions options) throws RdmaException {
        return qp.create(pd(), options);
    }

    /** Like {@link #createQp(QueuePairOptions)}, in a protection domain on {@link #context()}. */
    public QueuePair createQp(ProtectionDomain pd, QueuePairOptions options) throws RdmaException {
        return qp.create(pd, options);
    }

    /**
     * Creates a shared receive queue in the shared protection domain, for queue pairs created later through the id
     * ({@code rdma_create_srq(3)}). Closing the id closes it and every queue pair that uses it, also of other ids. For
     * connections that outlive their listener, use {@link ProtectionDomain#createSrq}.
     */
    public SharedReceiveQueue createSrq(SharedReceiveQueueOptions options) throws RdmaException {
        return qp.createSrq(options);
    }

    /** Returns the shared receive queue created by {@link #createSrq}. */
    public Optional<SharedReceiveQueue> srq() {
        return Optional.ofNullable(qp.srq());
    }

    /** Returns the settings of the id, for changing its options ({@code rdma_set_option(3)}). */
    public CmIdSettings settings() {
        return new CmIdSettings(core);
    }

    /** Returns the operations for a queue pair that is not created through the id. */
    public UserManagedQp userManagedQp() {
        return userManagedQp;
    }

    /** Returns the multicast operations of the id. */
    public CmMulticast multicast() {
        return multicast;
    }

    /** Returns the operations that look up services in subnet administration. */
    public IbServices services() {
        return new IbServices(core);
    }

    /**
     * Queues a USER event after the pending events of the id ({@code rdma_write_cm_event(3)}).
     *
     * @throws io.github.rdma4j.kernel.UnsupportedByKernelException before Linux 6.18
     */
    public void writeEvent(int status, long argument) throws RdmaException {
        WriteCmEventCommand body = new WriteCmEventCommand(core.handle(), CmEventType.USER.code(), status, argument);
        core.command(CmCommand.WRITE_EVENT, () -> core.ucm().writeCmEvent(body));
    }

    /** Like {@link #migrate(EventChannel, Duration)}, without a time limit. */
    public void migrate(EventChannel to) throws RdmaException, InterruptedException {
        member.migrate(to.retrieval(), Deadline.never());
    }

    /**
     * Moves the id and its unretrieved events to another channel ({@code rdma_migrate_id(3)}), then waits until the
     * events retrieved from the old channel, including events of memberships, are acknowledged. A thread that must
     * acknowledge such an event must not call this method: it would wait for itself.
     *
     * @throws CmTimeoutException if the time limit expires. The id has then moved, as it has after an interrupt
     */
    public void migrate(EventChannel to, Duration timeout) throws RdmaException, InterruptedException {
        member.migrate(to.retrieval(), Deadline.after(timeout));
    }

    /**
     * Destroys the id's queues, then the id ({@code rdma_destroy_id(3)}). The peer of a connection gets DISCONNECTED;
     * the peer of an unanswered request gets REJECTED. Unretrieved events are lost. Does not wait for acknowledgements.
     * The kernel may take up to 100 s if the peer has not answered a rejection or a failed accept. Idempotent and
     * callable from any thread; a second call returns immediately, even while the first is in progress.
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
