// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.mckey;

import io.github.rdma4j.cli.transfer.TestMessage;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.DatagramPeer;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.Access;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.Grh;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One id with its queue pair and memory, in one group. Used by one thread. */
final class Member implements AutoCloseable {
    private static final int BATCH = 8;

    private final CmId id;
    private final SocketAddress group;
    private final MckeyPlan plan;
    private final Tally tally;
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private final List<FirstFailure.Step> owned = new ArrayList<>();
    private @Nullable Resources resources;
    private int sent;

    /** An id that is to join the group; the member closes it. */
    Member(CmId id, SocketAddress group, MckeyPlan plan) {
        this.id = id;
        this.group = group;
        this.plan = plan;
        tally = new Tally(plan.messages(), plan.size());
    }

    /** What the id has when it has a device. */
    private record Resources(
            ProtectionDomain pd,
            CompletionChannel channel,
            CompletionQueue cq,
            QueuePair qp,
            ByteBuffer memory,
            MemoryRegion region) {}

    CmId id() {
        return id;
    }

    SocketAddress group() {
        return group;
    }

    Tally tally() {
        return tally;
    }

    private int slot() {
        return plan.sends() ? plan.size() : Grh.BYTES + plan.size();
    }

    /** Makes queue pair and memory, posts a receiver's receives, and joins. */
    void join() throws RdmaException {
        ProtectionDomain pd = id.context().allocatePd();
        owned.add(pd::close);
        CompletionChannel channel = id.context().createCompletionChannel();
        owned.add(channel::close);
        int depth = Math.max(1, plan.messages());
        CompletionQueue cq = id.context().createCq(2 * depth, 0, channel);
        QueuePair qp = id.createQp(
                pd,
                QueuePairOptions.builder()
                        .cq(cq)
                        .maxSendWr(depth)
                        .maxReceiveWr(depth)
                        .signalAll(true)
                        .build());
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.max(1, plan.messages() * slot()));
        MemoryRegion region = pd.registerMr(memory, EnumSet.of(Access.LOCAL_WRITE));
        resources = new Resources(pd, channel, cq, qp, memory, region);
        if (!plan.sends()) {
            postReceives(qp, region);
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

    /** How a member waits for completions while others wait for it. */
    @FunctionalInterface
    interface Waiting {
        /**
         * Returns when {@code completions} has had an event, maybe earlier; false when that took longer than {@code limit},
         * which may be null for none.
         */
        boolean await(CompletionChannel completions, @Nullable Duration limit)
                throws RdmaException, InterruptedException;
    }

    /** Sends all messages to the group and waits until they are gone. */
    void send(GroupMembership membership, Waiting waiting) throws RdmaException, InterruptedException {
        Resources own = resources();
        DatagramPeer everybody = membership.peer().orElseThrow();
        try (AddressHandle way = own.pd.createAh(everybody.ahAttr())) {
            // C receivers and ours take the number for the sender's, as C's sender sends it.
            SendWorkRequest send =
                    new SendWorkRequest(1).sendWithImmediate(own.qp.qpn()).to(way, everybody.qpn(), everybody.qkey());
            for (int i = 0; i < plan.messages(); i++) {
                TestMessage.fill(own.memory.slice(i * slot(), plan.size()), i);
                own.qp.postSend(send.clear().add(own.region, (long) i * slot(), plan.size()));
            }
            while (sent < plan.messages() && await(waiting, null)) {
                // Each completion counts one.
            }
        }
    }

    /** Receives until all messages have come, or none has for too long. */
    void receive(Waiting waiting) throws RdmaException, InterruptedException {
        while (!tally.isComplete()) {
            if (!await(waiting, tally.received() == 0 ? plan.firstPatience() : plan.patience())) {
                return;
            }
        }
    }

    /** Takes completions, and waits for them when there are none; false when none came in time. */
    private boolean await(Waiting waiting, @Nullable Duration limit) throws RdmaException, InterruptedException {
        Resources own = resources();
        long start = System.nanoTime();
        while (!poll(own)) {
            own.cq.requestNotification(false);
            // What came before the notification was asked for gives no event: look once more.
            if (poll(own)) {
                return true;
            }
            Duration left = limit == null ? null : limit.minusNanos(System.nanoTime() - start);
            if ((left != null && left.isNegative()) || !waiting.await(own.channel, left)) {
                return poll(own);
            }
        }
        return true;
    }

    private boolean poll(Resources own) throws RdmaException {
        int found = own.cq.poll(batch);
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
        FirstFailure failure = new FirstFailure();
        failure.attempt(id::close);
        // The newest first: the context outlives the id while something made on it is left.
        for (int i = owned.size() - 1; i >= 0; i--) {
            failure.attempt(owned.get(i));
        }
        failure.throwIfAny();
    }
}
