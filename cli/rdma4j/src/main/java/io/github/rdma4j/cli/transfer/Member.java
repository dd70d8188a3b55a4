// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.transfer;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.Grh;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;

/** An id in a group, with its queue pair and memory. Used by one thread. */
final class Member implements AutoCloseable {
    private static final int BATCH = 8;

    final CmId id;
    final SocketAddress group;
    private final MckeyPlan plan;
    final Tally tally;
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private @Nullable Resources resources;
    private int sent;

    /** Creates a member for an id that is to join the group; the member closes the id. */
    Member(CmId id, SocketAddress group, MckeyPlan plan) {
        this.id = id;
        this.group = group;
        this.plan = plan;
        tally = new Tally(plan.messages(), plan.size());
    }

    /** The resources of an id that has a device. */
    private record Resources(CmQueues queues, ByteBuffer memory, MemoryRegion region) {}

    private int slot() {
        return plan.sends() ? plan.size() : Grh.BYTES + plan.size();
    }

    /** Creates queue pair and memory, posts a receiver's receives, and joins. */
    void join() throws RdmaException {
        int depth = Math.max(1, plan.messages());
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.max(1, plan.messages() * slot()));
        CmQueues queues = id.queues()
                .createOwn(QueuePairOptions.builder()
                        .maxSendWr(depth)
                        .maxReceiveWr(depth)
                        .signalAll(true)
                        .blockMulticastLoopback(!plan.loopback())
                        .build());
        MemoryRegion region = queues.pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE));
        resources = new Resources(queues, memory, region);
        if (!plan.sends()) {
            postReceives(queues.qp(), region);
        }
        id.multicast().join(group, plan.mode(), this);
    }

    private void postReceives(QueuePair qp, MemoryRegion region) throws RdmaException {
        ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
        for (int i = 0; i < plan.messages(); i++) {
            qp.postReceive(receive.wrId(i).clear().add(region, (long) i * slot(), slot()));
        }
    }

    private Resources resources() {
        Resources present = resources;
        if (present == null) {
            throw new IllegalStateException(id + " has not joined");
        }
        return present;
    }

    /** The wait of a member for completions. */
    @FunctionalInterface
    interface Waiting {
        /** Takes completions of {@code cq}, and waits if there are none; 0 after the time limit. */
        int await(CompletionQueue cq, WorkCompletion[] into, Deadline deadline)
                throws RdmaException, InterruptedException;
    }

    /** Sends all messages to the group and waits for their completions. */
    void send(GroupMembership membership, Waiting waiting) throws RdmaException, InterruptedException {
        Resources own = resources();
        DatagramPeer group = membership.peer().orElseThrow();
        try (AddressHandle ah = own.queues.pd().createAh(group.ahAttr())) {
            // receivers take the immediate data for the sender's queue pair number, as in the C program
            SendWorkRequest send = new SendWorkRequest(1)
                    .sendWithImmediate(own.queues.qp().qpn())
                    .to(ah, group.qpn(), group.qkey());
            for (int i = 0; i < plan.messages(); i++) {
                TestMessage.fill(own.memory.slice(i * slot(), plan.size()), i);
                own.queues.qp().postSend(send.clear().add(own.region, (long) i * slot(), plan.size()));
            }
            while (sent < plan.messages() && await(waiting, Deadline.never())) {
                // each completion counts as one
            }
        }
    }

    /** Receives until all messages have arrived, or until the time limit for a message. */
    void receive(Waiting waiting) throws RdmaException, InterruptedException {
        while (!tally.isComplete()) {
            Duration patience = tally.received() == 0 ? plan.firstPatience() : plan.patience();
            if (!await(waiting, patience == null ? Deadline.never() : Deadline.after(patience))) {
                return;
            }
        }
    }

    /** Takes completions, and waits if there are none; returns false after the time limit. */
    private boolean await(Waiting waiting, Deadline deadline) throws RdmaException, InterruptedException {
        Resources own = resources();
        int found = waiting.await(own.queues.cq(), batch, deadline);
        for (int i = 0; i < found; i++) {
            take(own, batch[i]);
        }
        return found > 0;
    }

    private void take(Resources own, WorkCompletion completion) throws RdmaException {
        if (!completion.isSuccess()) {
            throw new WorkCompletionException(completion);
        }
        if (!completion.isReceive()) {
            sent++;
            return;
        }
        int base = (int) completion.wrId() * slot();
        ByteBuffer message = own.memory.slice(base + Grh.BYTES, completion.byteLength() - Grh.BYTES);
        tally.count(
                message,
                Grh.decode(own.memory, base).source(),
                completion.sourceQp(),
                completion.hasImmediate() ? completion.immediate() : completion.sourceQp());
    }

    /** Leaves the group and releases everything. */
    @Override
    public void close() throws RdmaException {
        Resources own = resources;
        if (own == null) {
            id.close();
        } else {
            Failures.closeAll(id::close, own.queues::close);
        }
    }
}
