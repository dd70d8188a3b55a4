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
 * The queue pair of a CM id and its completion queues, with shortcuts for common verbs ({@code rdma_verbs.h}):
 * registering memory, posting one request, waiting for one completion. See {@link CmId#queues()}. Safe for use by
 * several threads.
 *
 * <p>{@link CmId#createQp(QueuePairOptions)} creates a queue pair with two completion queues, one for sends and one for
 * receives, in the protection domain that all ids on the device share. Wait for completions with {@link #awaitSend} and
 * {@link #awaitReceive}. {@link #createOwn} creates a queue pair with a separate protection domain and one completion
 * queue for both work queues. Wait with {@link #await(WorkCompletion[], Duration)}. The methods of this class do not
 * wait for completion queues that the caller passed in the options.
 *
 * <p>Every send that a shortcut posts produces a completion ({@code IBV_SEND_SIGNALED}). After the first post, posting
 * allocates no memory. If several threads wait, each completion goes to one of them. A wait ends when the device is
 * removed: for an id of {@link BlockingCmId}, as soon as the kernel reports the removal; for any other id, when its
 * DEVICE_REMOVAL event is retrieved.
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
    private final IdResources resources;

    /** Guards the work request objects, which are reused. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Created by the first post, because a program that posts to the queue pair itself needs none. */
    private @Nullable ShortcutRequests requests;

    CmQueues(CmIdCore core, Binding binding, ConnectionQp connection, IdResources resources) {
        this.core = core;
        this.binding = binding;
        this.connection = connection;
        this.resources = resources;
    }

    // Creation and access.

    /**
     * Creates the queue pair with a separate protection domain and one completion queue for sends and receives. The id
     * must be bound to a device: after ADDR_RESOLVED, after binding to the address of a device, or for a connect
     * request. If the method fails, it releases everything that it created.
     *
     * @param options options without completion queues; the completion queue holds {@code maxSendWr + maxReceiveWr}
     *     completions
     * @return this object, whose {@link #close} destroys the queue pair, the completion queue and the protection domain
     * @throws IllegalArgumentException if the options contain a completion queue
     * @throws IllegalStateException if the id is not bound to a device or already has a queue pair
     */
    public CmQueues createOwn(QueuePairOptions options) throws RdmaException {
        connection.createOwn(options);
        return this;
    }

    /**
     * Returns the queue pair; the same as {@link CmId#qp()}.
     *
     * @throws IllegalStateException if the id has no queue pair
     */
    public QueuePair qp() {
        QueuePair pair = connection.get();
        if (pair == null) {
            throw new IllegalStateException(
                    core.isClosed() ? core + " is closed" : core + " has no queue pair: create one with createQp");
        }
        return pair;
    }

    /**
     * Returns the protection domain for memory regions and address handles. This is the protection domain of
     * {@link #createOwn}, which is closed with the queues, or otherwise the one that all ids on the device share.
     */
    public ProtectionDomain pd() {
        ProtectionDomain own = resources.ownPd;
        return own != null ? own : binding.requireDevice().pd();
    }

    /** Returns the completion queue that was created for the send queue only; empty if the options contained one. */
    public Optional<CompletionQueue> sendCq() {
        return Optional.ofNullable(resources.sendCq).map(OwnCq::cq);
    }

    /** Returns the completion queue that was created for the receive queue only; empty if the options contained one. */
    public Optional<CompletionQueue> receiveCq() {
        return Optional.ofNullable(resources.receiveCq).map(OwnCq::cq);
    }

    /**
     * Returns the completion queue of {@link #createOwn}, which has its own completion channel.
     *
     * @throws IllegalStateException if the queue pair was not created by {@link #createOwn}
     */
    public CompletionQueue cq() {
        return both().cq();
    }

    // Memory.

    /**
     * Registers memory for sending and receiving messages ({@code rdma_reg_msgs(3)}). The caller closes the region. For
     * Netty buffers use {@code NettyMemory} of {@code rdma4j-netty}.
     *
     * @param buffer a direct buffer
     */
    public MemoryRegion registerMessages(ByteBuffer buffer) throws RdmaException {
        return pd().registerMr(buffer, MESSAGES);
    }

    /**
     * Registers memory that the peer may read ({@code rdma_reg_read(3)}). The caller closes the region.
     *
     * @param buffer a direct buffer
     */
    public MemoryRegion registerRead(ByteBuffer buffer) throws RdmaException {
        return pd().registerMr(buffer, READ);
    }

    /**
     * Registers memory that the peer may write ({@code rdma_reg_write(3)}). The caller closes the region.
     *
     * @param buffer a direct buffer
     */
    public MemoryRegion registerWrite(ByteBuffer buffer) throws RdmaException {
        return pd().registerMr(buffer, WRITE);
    }

    /** Registers memory with the given access rights. The caller closes the region. */
    public MemoryRegion register(MappedMemory memory, Set<Access> access) throws RdmaException {
        return pd().registerMr(memory, access);
    }

    /** Creates an address handle for {@code peer}, for {@link #postDatagram}. The caller closes it. */
    public DatagramPeer.Handle handle(DatagramPeer peer) throws RdmaException {
        return new DatagramPeer.Handle(pd().createAh(peer.ahAttr()), peer.qpn(), peer.qkey());
    }

    // Posting.

    /**
     * Posts a receive with one scatter entry ({@code rdma_post_recv(3)}), to the id's shared receive queue if it has
     * one. For several entries ({@code rdma_post_recvv(3)}) use {@link #postReceive(ReceiveWorkRequest)}.
     *
     * @param wrId the number that the completion returns
     * @param region the registered memory that receives the message
     * @param offset the position in the region, in bytes
     * @param length the size of the receive buffer, in bytes
     */
    public void postReceive(long wrId, MemoryRegion region, long offset, int length) throws RdmaException {
        lock.lock();
        try {
            postReceive(requests().receive.clear().wrId(wrId).add(region, offset, length));
        } finally {
            lock.unlock();
        }
    }

    /** The work requests that the shortcuts fill in again for each post. Used under the lock. */
    private static final class ShortcutRequests {
        final SendWorkRequest send = new SendWorkRequest(1);

        /**
         * A separate request, because a request keeps its destination and a message without a destination must be rejected.
         */
        private final SendWorkRequest datagram = new SendWorkRequest(1);

        final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);

        SendWorkRequest datagram(long wrId, DatagramPeer.Handle to) {
            return datagram.clear()
                    .wrId(wrId)
                    .send()
                    .to(to.ah(), to.qpn(), to.qkey())
                    .signaled();
        }
    }

    private ShortcutRequests requests() {
        if (requests == null) {
            requests = new ShortcutRequests();
        }
        return requests;
    }

    /**
     * Posts a receive with any number of scatter entries ({@code rdma_post_recvv(3)}), to the id's shared receive queue
     * if it has one.
     */
    public void postReceive(ReceiveWorkRequest request) throws RdmaException {
        SharedReceiveQueue shared = resources.srq;
        if (shared != null) {
            shared.postReceive(request);
        } else {
            qp().postReceive(request);
        }
    }

    /**
     * Posts a send with one gather entry ({@code rdma_post_send(3)}).
     *
     * @param wrId the number that the completion returns
     * @param region the registered memory that contains the message
     * @param offset the position in the region, in bytes
     * @param length the length of the message, in bytes
     */
    public void postSend(long wrId, MemoryRegion region, long offset, int length) throws RdmaException {
        lock.lock();
        try {
            qp().postSend(requests().send.clear().wrId(wrId).send().signaled().add(region, offset, length));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Posts a datagram with one gather entry ({@code rdma_post_ud_send(3)}).
     *
     * @param wrId the number that the completion returns
     * @param region the registered memory that contains the datagram
     * @param offset the position in the region, in bytes
     * @param length the length of the datagram, in bytes
     * @param to the destination; see {@link #handle}
     */
    public void postDatagram(long wrId, MemoryRegion region, long offset, int length, DatagramPeer.Handle to)
            throws RdmaException {
        lock.lock();
        try {
            qp().postSend(requests().datagram(wrId, to).add(region, offset, length));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Posts a send, an RDMA read or an RDMA write with any number of entries ({@code rdma_post_sendv(3)},
     * {@code rdma_post_read(3)}, {@code rdma_post_readv(3)}, {@code rdma_post_write(3)}, {@code rdma_post_writev(3)}).
     */
    public void post(SendWorkRequest request) throws RdmaException {
        qp().postSend(request);
    }

    // Waiting.

    /**
     * Waits for the next completion of the send queue; throws an exception if the send failed.
     *
     * @throws CmTimeoutException if no send completes within the time limit
     * @throws io.github.rdma4j.verbs.WorkCompletionException if the send failed
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV if the device is removed; close the id
     * @throws IllegalStateException if no completion queue was created for the send queue only
     */
    public WorkCompletion awaitSend(Duration limit) throws RdmaException, InterruptedException {
        return succeeded(awaitSendCompletion(limit), "send", limit);
    }

    /** Like {@link #awaitSend(Duration)}, without a time limit. */
    public WorkCompletion awaitSend() throws RdmaException, InterruptedException {
        return one(resources.sendCq, "send", Deadline.never()).orElseThrow().requireSuccess();
    }

    /**
     * Waits for the next completion of the receive queue; throws an exception if the receive failed.
     *
     * @throws CmTimeoutException if no receive completes within the time limit
     * @throws io.github.rdma4j.verbs.WorkCompletionException if the receive failed
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV if the device is removed; close the id
     * @throws IllegalStateException if no completion queue was created for the receive queue only
     */
    public WorkCompletion awaitReceive(Duration limit) throws RdmaException, InterruptedException {
        return succeeded(awaitReceiveCompletion(limit), "receive", limit);
    }

    /** Like {@link #awaitReceive(Duration)}, without a time limit. */
    public WorkCompletion awaitReceive() throws RdmaException, InterruptedException {
        return one(resources.receiveCq, "receive", Deadline.never())
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
     * Waits for the next completion of the send queue and returns it, whether it reports success or failure
     * ({@code rdma_get_send_comp(3)}); empty if the time limit expires.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV if the device is removed; close the id
     * @throws IllegalStateException if no completion queue was created for the send queue only
     */
    public Optional<WorkCompletion> awaitSendCompletion(Duration limit) throws RdmaException, InterruptedException {
        return one(resources.sendCq, "send", Deadline.after(limit));
    }

    /**
     * Waits for the next completion of the receive queue and returns it, whether it reports success or failure
     * ({@code rdma_get_recv_comp(3)}); empty if the time limit expires.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV if the device is removed; close the id
     * @throws IllegalStateException if no completion queue was created for the receive queue only
     */
    public Optional<WorkCompletion> awaitReceiveCompletion(Duration limit) throws RdmaException, InterruptedException {
        return one(resources.receiveCq, "receive", Deadline.after(limit));
    }

    private Optional<WorkCompletion> one(@Nullable OwnCq cq, String queue, Deadline deadline)
            throws RdmaException, InterruptedException {
        qp();
        if (cq == null) {
            throw new IllegalStateException("the " + queue + " queue of " + core
                    + " has no completion queue of its own: use CmQueues.await after createOwn, and "
                    + "CompletionQueue.await for a completion queue from the options");
        }
        WorkCompletion[] one = WorkCompletion.array(1);
        return await(cq, one, deadline) == 0 ? Optional.empty() : Optional.of(one[0]);
    }

    /** Like {@link #await(WorkCompletion[], Duration)}, without a time limit. */
    public int await(WorkCompletion[] into) throws RdmaException, InterruptedException {
        return await(both(), into, Deadline.never());
    }

    /**
     * Waits for completions of both work queues, as {@link CompletionQueue#await(WorkCompletion[], Duration)} does.
     *
     * @return the number of completions stored in {@code into}; 0 if the time limit expires
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV if the device is removed; close the id
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException if another thread closes the queues
     * @throws IllegalStateException if the queue pair was not created by {@link #createOwn}
     * @throws InterruptedException if there is no completion and the thread is interrupted before or during the wait
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
            // A garbage-collected id would close the queues during the wait.
            Reference.reachabilityFence(core);
        }
    }

    private OwnCq both() {
        OwnCq both = resources.bothCq;
        if (both == null) {
            throw new IllegalStateException(
                    core + " has no completion queue for both sends and receives: create one with createOwn");
        }
        return both;
    }

    // Closing.

    /**
     * Destroys the queue pair, the completion queues created with it, and the protection domain of {@link #createOwn}
     * with all its objects. The id stays open. Closing the id destroys them too. Does nothing if there is no queue
     * pair.
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
