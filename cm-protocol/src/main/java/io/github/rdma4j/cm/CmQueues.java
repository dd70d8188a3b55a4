// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair of a CM id and its completion queues, with the short forms of the verbs on them ({@code rdma_verbs.h}):
 * registering memory, posting one request, waiting for one completion. See {@link CmId#queues()}.
 *
 * <p>{@link CmId#createQp(QueuePairOptions)} creates a queue pair with two completion queues, one for sends and one for
 * receives, in the protection domain that all ids on the device share: wait with {@link #awaitSend} and {@link #awaitReceive}.
 * {@link #createOwn} creates a queue pair with a protection domain of its own, and one completion queue for both: wait with
 * {@link #await(WorkCompletion[], Duration)}. Completion queues that the options bring are the caller's own, and the caller
 * waits for them.
 *
 * <p>Every send of a short form completes ({@code IBV_SEND_SIGNALED}). Posting allocates nothing. A wait ends when the device
 * goes: for an id of {@link BlockingCmId} as soon as the kernel says so, for another id when its DEVICE_REMOVAL event has been
 * retrieved. Of several threads that wait, each completion goes to one. Safe for use by several threads.
 *
 * <pre>{@code
 * CmQueues queues = id.queues();
 * try (MemoryRegion region = queues.registerMessages(buffer)) {
 *     queues.postReceive(1, region, LENGTH, LENGTH);
 *     id.connect(ConnectionParameters.DEFAULT, limit);
 *     queues.postSend(2, region, 0, LENGTH);
 *     queues.awaitReceive(limit);
 * }
 * }</pre>
 */
public final class CmQueues implements AutoCloseable {
    private static final Set<Access> MESSAGES = Set.of(Access.LOCAL_WRITE);
    private static final Set<Access> READ = Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ);
    private static final Set<Access> WRITE = Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    private final CmIdCore core;
    private final Binding binding;
    private final ConnectionQp connection;

    /** Guards the requests, which are used over and over. */
    private final ReentrantLock lock = new ReentrantLock();

    private final SendWorkRequest send = new SendWorkRequest(1);
    /** A request of its own, because a request keeps its destination: a message without a destination is to be refused. */
    private final SendWorkRequest datagram = new SendWorkRequest(1);

    private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);

    CmQueues(CmIdCore core, Binding binding, ConnectionQp connection) {
        this.core = core;
        this.binding = binding;
        this.connection = connection;
    }

    // What there is.

    /**
     * Creates the queue pair with a protection domain of its own and one completion queue for sends and receives, when the id
     * has a device: after ADDR_RESOLVED, after a bind to the address of a device, or for a connect request. After a failure
     * nothing is left of them.
     *
     * @param options without completion queues; the completion queue holds {@code maxSendWr + maxReceiveWr} completions
     * @return this object, whose {@link #close} destroys all of that
     * @throws IllegalArgumentException when the options bring a completion queue
     * @throws IllegalStateException when the id has no device yet, or a queue pair already
     */
    public CmQueues createOwn(QueuePairOptions options) throws RdmaException {
        connection.createOwn(options);
        return this;
    }

    /**
     * The queue pair, which is also {@link CmId#qp()}.
     *
     * @throws IllegalStateException when the id has none
     */
    public QueuePair qp() {
        QueuePair pair = connection.get();
        if (pair == null) {
            throw new IllegalStateException(
                    core.isClosed() ? core + " is closed" : core + " has no queue pair: make one with createQp");
        }
        return pair;
    }

    /**
     * The protection domain for memory regions and address handles: that of {@link #createOwn}, which is closed with the queues,
     * or else the one that all ids on the device share.
     */
    public ProtectionDomain pd() {
        ProtectionDomain own = connection.ownPd();
        return own != null ? own : binding.requireDevice().pd();
    }

    /** The completion queue that was created for the send queue alone; empty when the options brought one. */
    public Optional<CompletionQueue> sendCq() {
        return Optional.ofNullable(connection.sendCq()).map(OwnCq::cq);
    }

    /** The completion queue that was created for the receive queue alone; empty when the options brought one. */
    public Optional<CompletionQueue> receiveCq() {
        return Optional.ofNullable(connection.receiveCq()).map(OwnCq::cq);
    }

    /**
     * The completion queue of {@link #createOwn}, which has a completion channel to itself.
     *
     * @throws IllegalStateException when the queue pair was created otherwise
     */
    public CompletionQueue cq() {
        return both().cq();
    }

    // Memory.

    /**
     * Memory to send from and to receive into ({@code rdma_reg_msgs(3)}); a direct buffer. The caller closes it. For
     * memory of Netty see {@code NettyMemory} of {@code rdma4j-netty}.
     */
    public MemoryRegion registerMessages(ByteBuffer buffer) throws RdmaException {
        return pd().registerMr(buffer, MESSAGES);
    }

    /** Memory that the peer may read ({@code rdma_reg_read(3)}). */
    public MemoryRegion registerRead(ByteBuffer buffer) throws RdmaException {
        return pd().registerMr(buffer, READ);
    }

    /** Memory that the peer may write ({@code rdma_reg_write(3)}). */
    public MemoryRegion registerWrite(ByteBuffer buffer) throws RdmaException {
        return pd().registerMr(buffer, WRITE);
    }

    /** Memory of any kind, with the rights that are named. */
    public MemoryRegion register(MappedMemory memory, Set<Access> access) throws RdmaException {
        return pd().registerMr(memory, access);
    }

    /** Makes the address handle of {@code peer} for {@link #postDatagram}; the caller closes it. */
    public DatagramPeer.Handle handle(DatagramPeer peer) throws RdmaException {
        return new DatagramPeer.Handle(pd().createAh(peer.ahAttr()), peer.qpn(), peer.qkey());
    }

    // Posting.

    /**
     * Posts a receive ({@code rdma_post_recv(3)}), to the id's shared receive queue if it has one. For more pieces than
     * one ({@code rdma_post_recvv(3)}) give a request to the other form.
     */
    public void postReceive(long wrId, MemoryRegion region, long offset, int length) throws RdmaException {
        lock.lock();
        try {
            postReceive(receive.clear().wrId(wrId).add(region, offset, length));
        } finally {
            lock.unlock();
        }
    }

    /** Posts a receive of any number of pieces ({@code rdma_post_recvv(3)}). */
    public void postReceive(ReceiveWorkRequest request) throws RdmaException {
        SharedReceiveQueue shared = connection.srq();
        if (shared != null) {
            shared.postReceive(request);
        } else {
            qp().postReceive(request);
        }
    }

    /** Posts a message ({@code rdma_post_send(3)}). */
    public void postSend(long wrId, MemoryRegion region, long offset, int length) throws RdmaException {
        lock.lock();
        try {
            qp().postSend(send.clear().wrId(wrId).send().signaled().add(region, offset, length));
        } finally {
            lock.unlock();
        }
    }

    /** Posts a datagram ({@code rdma_post_ud_send(3)}). */
    public void postDatagram(long wrId, MemoryRegion region, long offset, int length, DatagramPeer.Handle to)
            throws RdmaException {
        lock.lock();
        try {
            qp().postSend(datagram.clear()
                    .wrId(wrId)
                    .send()
                    .to(to.ah(), to.qpn(), to.qkey())
                    .signaled()
                    .add(region, offset, length));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Posts a send, RDMA read or RDMA write of any number of pieces ({@code rdma_post_sendv(3)}, {@code
     * rdma_post_read(3)}, {@code rdma_post_readv(3)}, {@code rdma_post_write(3)}, {@code rdma_post_writev(3)}).
     */
    public void post(SendWorkRequest request) throws RdmaException {
        qp().postSend(request);
    }

    // Waiting.

    /**
     * Waits until the next send has succeeded.
     *
     * @throws CmTimeoutException when no send has completed in time
     * @throws io.github.rdma4j.verbs.WorkCompletionException when the send has failed
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV when the device goes; close the id then
     * @throws IllegalStateException when no completion queue was created for the send queue alone
     */
    public WorkCompletion awaitSend(Duration limit) throws RdmaException, InterruptedException {
        return succeeded(awaitSendCompletion(limit), "send", limit);
    }

    /** As {@link #awaitSend(Duration)}, without a limit. */
    public WorkCompletion awaitSend() throws RdmaException, InterruptedException {
        return one(connection.sendCq(), "send", Deadline.never()).orElseThrow().requireSuccess();
    }

    /**
     * Waits until the next message was received, and the receive has succeeded.
     *
     * @throws CmTimeoutException when no receive has completed in time
     * @throws io.github.rdma4j.verbs.WorkCompletionException when the receive has failed
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV when the device goes; close the id then
     * @throws IllegalStateException when no completion queue was created for the receive queue alone
     */
    public WorkCompletion awaitReceive(Duration limit) throws RdmaException, InterruptedException {
        return succeeded(awaitReceiveCompletion(limit), "receive", limit);
    }

    /** As {@link #awaitReceive(Duration)}, without a limit. */
    public WorkCompletion awaitReceive() throws RdmaException, InterruptedException {
        return one(connection.receiveCq(), "receive", Deadline.never())
                .orElseThrow()
                .requireSuccess();
    }

    private WorkCompletion succeeded(Optional<WorkCompletion> completion, String what, Duration limit)
            throws RdmaException {
        return completion
                .orElseThrow(() -> new CmTimeoutException("no " + what + " of " + core + " completed within " + limit))
                .requireSuccess();
    }

    /**
     * The next completion of the send queue, of a success or of a failure ({@code rdma_get_send_comp(3)}); empty when the time
     * ran out. See {@link #awaitSend(Duration)}.
     */
    public Optional<WorkCompletion> awaitSendCompletion(Duration limit) throws RdmaException, InterruptedException {
        return one(connection.sendCq(), "send", Deadline.after(limit));
    }

    /** The same of the receive queue ({@code rdma_get_recv_comp(3)}). */
    public Optional<WorkCompletion> awaitReceiveCompletion(Duration limit) throws RdmaException, InterruptedException {
        return one(connection.receiveCq(), "receive", Deadline.after(limit));
    }

    private Optional<WorkCompletion> one(@Nullable OwnCq cq, String queue, Deadline deadline)
            throws RdmaException, InterruptedException {
        qp();
        if (cq == null) {
            throw new IllegalStateException("no completion queue was created for the " + queue + " queue of " + core
                    + " alone: wait with CmQueues.await for the queues of createOwn, and with CompletionQueue.await "
                    + "for a completion queue that is the caller's own");
        }
        WorkCompletion[] one = WorkCompletion.array(1);
        return await(cq, one, deadline) == 0 ? Optional.empty() : Optional.of(one[0]);
    }

    /**
     * Takes completions of both queues as {@link CompletionQueue#await(WorkCompletion[])} does; see the other form.
     */
    public int await(WorkCompletion[] into) throws RdmaException, InterruptedException {
        return await(both(), into, Deadline.never());
    }

    /**
     * Takes completions of both queues as {@link CompletionQueue#await(WorkCompletion[], Duration)} does.
     *
     * @return the number of completions; 0 when the time ran out
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV when the device goes; close the id then
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException when another thread closed the queues meanwhile
     * @throws IllegalStateException when the queue pair was not created by {@link #createOwn}
     * @throws InterruptedException when there was no completion and the thread was interrupted before or while it waited
     */
    public int await(WorkCompletion[] into, Duration limit) throws RdmaException, InterruptedException {
        OwnCq both = both();
        int polled = both.cq().poll(into);
        return polled > 0 ? polled : await(both, into, Deadline.after(limit));
    }

    private int await(OwnCq cq, WorkCompletion[] into, Deadline deadline) throws RdmaException, InterruptedException {
        try {
            return cq.await(core, into, deadline);
        } finally {
            // As garbage the id would close the queues while this waits for them.
            Reference.reachabilityFence(core);
        }
    }

    private OwnCq both() {
        OwnCq both = connection.bothCq();
        if (both == null) {
            throw new IllegalStateException(
                    core + " has no completion queue for both sends and receives: createOwn creates one");
        }
        return both;
    }

    // Closing.

    /**
     * Destroys the queue pair, the completion queues that were created with it, and the protection domain of {@link #createOwn}
     * with all that is in it; leaves the id open. Closing the id destroys them too. Does nothing when there is no queue pair.
     */
    @Override
    public void close() throws RdmaException {
        try {
            connection.destroy();
        } catch (IllegalStateException e) {
            if (!core.isClosed()) {
                throw e;
            }
        }
    }

    @Override
    public String toString() {
        return "CmQueues[" + core + ", " + connection.get() + "]";
    }
}
