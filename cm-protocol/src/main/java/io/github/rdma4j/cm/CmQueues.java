// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.lang.ref.Reference;
import java.time.Duration;

/**
 * The queue pair of a CM id with all that the queue pair needs: a protection domain, a completion channel, and one
 * completion queue for sends and receives.
 *
 * <p>Created when the id has a device: after ADDR_RESOLVED, after a bind to the address of a device, or for a connect
 * request. {@link #close} destroys the queues and what was made in the protection domain, such as memory regions, and
 * leaves the id open. Closing the id destroys them too. Safe for use by several threads.
 *
 * <p>{@link RdmaVerbs} posts to these queues as well. To wait for sends and receives apart, call {@link
 * CmId#createQp(QueuePairOptions)} instead, whose queue pair has two completion queues, in the protection domain that all
 * ids on the device share.
 */
public final class CmQueues implements AutoCloseable {
    private final CmId id;
    private final ProtectionDomain pd;
    private final OwnCq own;
    private final QueuePair qp;

    private CmQueues(CmId id, ProtectionDomain pd, OwnCq own, QueuePair qp) {
        this.id = id;
        this.pd = pd;
        this.own = own;
        this.qp = qp;
    }

    /**
     * Creates the queues of an id. After a failure nothing is left of them.
     *
     * @param options without completion queues; the completion queue holds {@code maxSendWr + maxReceiveWr} completions
     * @throws IllegalArgumentException when the options bring a completion queue
     * @throws IllegalStateException when the id has no device yet, or a queue pair already
     */
    public static CmQueues create(CmId id, QueuePairOptions options) throws RdmaException {
        if (options.sendCq().isPresent() || options.receiveCq().isPresent()) {
            throw new IllegalArgumentException(
                    "the options bring a completion queue: leave it out, or create the queue pair with CmId.createQp");
        }
        DeviceContext context = id.context();
        ProtectionDomain pd = context.allocatePd();
        OwnCq own = null;
        try {
            own = OwnCq.make(context, options.maxSendWr() + options.maxReceiveWr());
            QueuePair qp = id.createQp(pd, options.toBuilder().cq(own.cq()).build());
            id.connectionQp().own(qp, pd, own);
            return new CmQueues(id, pd, own, qp);
        } catch (RdmaException | RuntimeException | Error e) {
            // The context outlives the id while something made on it is left.
            FirstFailure failure = new FirstFailure();
            failure.add(e);
            if (own != null) {
                failure.attempt(own::close);
            }
            failure.attempt(pd::close);
            throw e;
        }
    }

    /** The id whose queues these are. */
    public CmId id() {
        return id;
    }

    /** The protection domain of the queue pair, for memory regions and address handles; closed with the queues. */
    public ProtectionDomain pd() {
        return pd;
    }

    /** The completion queue of both queues, which has a completion channel to itself. */
    public CompletionQueue cq() {
        return own.cq();
    }

    /** The queue pair, which is also {@link CmId#qp()}. */
    public QueuePair qp() {
        return qp;
    }

    /**
     * Takes completions as {@link CompletionQueue#await(WorkCompletion[])} does, and ends when the device goes, as the other
     * form does.
     */
    public int await(WorkCompletion[] into) throws RdmaException, InterruptedException {
        return await(into, Deadline.never());
    }

    /**
     * Takes completions as {@link CompletionQueue#await(WorkCompletion[], Duration)} does, and ends when the device goes: for
     * an id of {@link BlockingCmId} as soon as the kernel says so, for another id when its DEVICE_REMOVAL event has been
     * retrieved.
     *
     * @return the number of completions; 0 when the time ran out
     * @throws io.github.rdma4j.kernel.ErrnoException ENODEV when the device goes; close the id then
     * @throws io.github.rdma4j.kernel.ClosedWhileWaitingException when another thread closed the queues meanwhile
     * @throws InterruptedException when there was no completion and the thread was interrupted before or while it waited
     */
    public int await(WorkCompletion[] into, Duration limit) throws RdmaException, InterruptedException {
        int polled = cq().poll(into);
        return polled > 0 ? polled : await(into, Deadline.after(limit));
    }

    private int await(WorkCompletion[] into, Deadline deadline) throws RdmaException, InterruptedException {
        try {
            return own.await(id.core(), into, deadline);
        } finally {
            // As garbage the id would close the queues while this waits for them.
            Reference.reachabilityFence(id);
        }
    }

    /** Destroys the queue pair, the completion queue and its channel, and the protection domain with all that is in it. Idempotent. */
    @Override
    public void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(this::destroyQp);
        failure.attempt(qp::close);
        failure.attempt(own::close);
        failure.attempt(pd::close);
        failure.throwIfAny();
    }

    private void destroyQp() throws RdmaException {
        try {
            if (id.qp().filter(present -> present == qp).isPresent()) {
                id.destroyQp();
            }
        } catch (IllegalStateException e) {
            if (id.state() != CmState.DESTROYED) {
                throw e;
            }
        }
    }

    @Override
    public String toString() {
        return "CmQueues[" + id + ", " + qp + "]";
    }
}
