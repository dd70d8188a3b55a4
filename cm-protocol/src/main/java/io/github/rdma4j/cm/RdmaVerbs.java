// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The short forms of the verbs on the queue pair of a CM id ({@code rdma_verbs.h}): registering memory in the id's
 * protection domain, posting one request, waiting for one completion.
 *
 * <p>Every send completes ({@code IBV_SEND_SIGNALED}). Waiting needs completion queues that the id made itself: give
 * {@link CmId#createQp} options without any. For the queues of {@link CmQueues}, which have one completion queue, these
 * forms register and post, and {@link CmQueues#await(WorkCompletion[], Duration)} waits. Posting allocates nothing. Safe for use
 * by several threads.
 *
 * <pre>{@code
 * RdmaVerbs verbs = RdmaVerbs.of(id.id());
 * try (MemoryRegion region = verbs.registerMessages(buffer)) {
 *     verbs.postReceive(1, region, LENGTH, LENGTH);
 *     id.connect(ConnectionParameters.DEFAULT, limit);
 *     verbs.postSend(2, region, 0, LENGTH);
 *     WorkCompletion echo = verbs.awaitReceiveCompletion(limit).orElseThrow();
 *     if (!echo.isSuccess()) {
 *         throw new WorkCompletionException(echo);
 *     }
 * }
 * }</pre>
 */
public final class RdmaVerbs {
    private static final Set<Access> MESSAGES = Set.of(Access.LOCAL_WRITE);
    private static final Set<Access> READ = Set.of(Access.LOCAL_WRITE, Access.REMOTE_READ);
    private static final Set<Access> WRITE = Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    private final CmId id;

    /** Guards the requests, which are used over and over. */
    private final ReentrantLock lock = new ReentrantLock();

    private final SendWorkRequest send = new SendWorkRequest(1);
    /** A request of its own, because a request keeps its destination: a message without a destination is to be refused. */
    private final SendWorkRequest datagram = new SendWorkRequest(1);

    private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);

    private RdmaVerbs(CmId id) {
        this.id = Objects.requireNonNull(id, "id");
    }

    /** The short forms for an id; keep the object, it holds what posting would allocate. */
    public static RdmaVerbs of(CmId id) {
        return new RdmaVerbs(id);
    }

    /**
     * Memory to send from and to receive into ({@code rdma_reg_msgs(3)}); a direct buffer. The caller closes it. For
     * memory of Netty see {@code NettyMemory} of rdma4j-netty.
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
        Optional<SharedReceiveQueue> shared = id.srq();
        if (shared.isPresent()) {
            shared.get().postReceive(request);
        } else {
            requireQp().postReceive(request);
        }
    }

    /** Posts a message ({@code rdma_post_send(3)}). */
    public void postSend(long wrId, MemoryRegion region, long offset, int length) throws RdmaException {
        lock.lock();
        try {
            requireQp().postSend(send.clear().wrId(wrId).send().signaled().add(region, offset, length));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Posts a send, RDMA read or RDMA write of any number of pieces ({@code rdma_post_sendv(3)}, {@code
     * rdma_post_readv(3)}, {@code rdma_post_writev(3)}).
     */
    public void post(SendWorkRequest request) throws RdmaException {
        requireQp().postSend(request);
    }

    /** Posts an RDMA read of the peer's memory ({@code rdma_post_read(3)}). */
    public void postRead(long wrId, MemoryRegion region, long offset, int length, long remoteIova, int rkey)
            throws RdmaException {
        lock.lock();
        try {
            requireQp()
                    .postSend(send.clear()
                            .wrId(wrId)
                            .rdmaRead(remoteIova, rkey)
                            .signaled()
                            .add(region, offset, length));
        } finally {
            lock.unlock();
        }
    }

    /** Posts an RDMA write of the peer's memory ({@code rdma_post_write(3)}). */
    public void postWrite(long wrId, MemoryRegion region, long offset, int length, long remoteIova, int rkey)
            throws RdmaException {
        lock.lock();
        try {
            requireQp()
                    .postSend(send.clear()
                            .wrId(wrId)
                            .rdmaWrite(remoteIova, rkey)
                            .signaled()
                            .add(region, offset, length));
        } finally {
            lock.unlock();
        }
    }

    /** Posts a datagram ({@code rdma_post_ud_send(3)}), with the queue key that the connection manager has told. */
    public void postDatagram(
            long wrId, MemoryRegion region, long offset, int length, AddressHandle handle, int qpn, int qkey)
            throws RdmaException {
        lock.lock();
        try {
            requireQp()
                    .postSend(datagram.clear()
                            .wrId(wrId)
                            .send()
                            .to(handle, qpn, qkey)
                            .signaled()
                            .add(region, offset, length));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the next completion of the send queue ({@code rdma_get_send_comp(3)}); empty when the time ran out. Of several
     * threads that wait, each completion goes to one.
     *
     * <p>Ends when the device goes: for an id of {@link BlockingCmId} as soon as the kernel says so, for another id when
     * its DEVICE_REMOVAL event has been retrieved.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV when the device goes; close the id then
     * @throws IllegalStateException when the completion queue was brought by the caller
     */
    public Optional<WorkCompletion> awaitSendCompletion(Duration timeout) throws RdmaException, InterruptedException {
        return await(id.connectionQp().sendCq(), "send", Deadline.after(timeout));
    }

    /**
     * As {@link #awaitSendCompletion(Duration)}, without a limit.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV when the device goes; close the id then
     */
    public WorkCompletion awaitSendCompletion() throws RdmaException, InterruptedException {
        return await(id.connectionQp().sendCq(), "send", Deadline.never()).orElseThrow();
    }

    /** As {@link #awaitReceiveCompletion(Duration)}, without a limit. */
    public WorkCompletion awaitReceiveCompletion() throws RdmaException, InterruptedException {
        return await(id.connectionQp().receiveCq(), "receive", Deadline.never()).orElseThrow();
    }

    /** The same of the receive queue ({@code rdma_get_recv_comp(3)}). */
    public Optional<WorkCompletion> awaitReceiveCompletion(Duration timeout)
            throws RdmaException, InterruptedException {
        return await(id.connectionQp().receiveCq(), "receive", Deadline.after(timeout));
    }

    private Optional<WorkCompletion> await(@Nullable OwnCq cq, String queue, Deadline deadline)
            throws RdmaException, InterruptedException {
        WorkCompletion[] one = WorkCompletion.array(1);
        try {
            int polled = require(cq, queue).await(id.core(), one, deadline);
            return polled == 0 ? Optional.empty() : Optional.of(one[0]);
        } finally {
            // As garbage the id would close the queues while this waits for them.
            Reference.reachabilityFence(id);
        }
    }

    private OwnCq require(@Nullable OwnCq cq, String queue) {
        requireQp();
        if (cq == null) {
            throw new IllegalStateException("the completion queue of the " + queue + " queue of " + id
                    + " is the caller's own: wait with CompletionQueue.await");
        }
        return cq;
    }

    /** That of the queue pair. */
    private ProtectionDomain pd() {
        ProtectionDomain own = id.connectionQp().ownPd();
        return own != null ? own : id.pd();
    }

    private QueuePair requireQp() {
        return id.qp()
                .orElseThrow(() -> new IllegalStateException(
                        id.state() == CmState.DESTROYED
                                ? id + " is closed"
                                : id + " has no queue pair: make one with createQp"));
    }
}
