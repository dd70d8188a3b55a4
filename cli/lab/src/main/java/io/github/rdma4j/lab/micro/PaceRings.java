// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.micro;

import io.github.rdma4j.internal.mlx5.Cqe.Cqe64;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.lab.RawConnection;
import io.github.rdma4j.lab.providers.card.CardCq;
import io.github.rdma4j.lab.providers.kernel.CardKernel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A queue pair and a completion queue of a {@link PaceDevice} that does nothing by itself: {@link #complete} is the device. The sizes are
 * those of {@code pace.c}.
 */
@State(Scope.Thread)
public class Mlx5Rings {
    static final int BATCH = 256;
    static final int MANY = 16;

    private static final int LENGTH = 64;

    private static final PaceDevice DEVICE = PaceDevice.chosen();

    private final CardKernel kernel = DEVICE.kernel();
    private final DeviceContext context = Setups.of(kernel::openDevice);
    private final ProtectionDomain pd = Setups.of(context::allocatePd);
    private final CompletionQueue cq = Setups.of(() -> context.createCq(2 * BATCH - 1));
    private final MemoryRegion region =
            Setups.of(() -> pd.registerMr(ByteBuffer.allocateDirect(LENGTH), EnumSet.of(Access.LOCAL_WRITE)));
    private final QueuePair qp = Setups.of(() -> connected(pd.createQp(QueuePairOptions.builder()
            .cq(cq)
            .maxSendWr(BATCH)
            .maxReceiveWr(1)
            .maxInline(LENGTH)
            .build())));

    private final SendWorkRequest send =
            new SendWorkRequest(1).send().add(region, 0, LENGTH).signaled();
    private final SendWorkRequest inline =
            new SendWorkRequest(0).send().inline(ByteBuffer.allocate(LENGTH)).signaled();
    private final SendWorkRequest[] chain = new SendWorkRequest[MANY];
    private final WorkCompletion[] one = WorkCompletion.array(1);
    private final WorkCompletion[] many = WorkCompletion.array(MANY);

    private final CardCq device = kernel.card().completionQueues().get(0);
    private final ByteBuffer entry = ByteBuffer.allocateDirect(Cqe64.BYTES).order(ByteOrder.BIG_ENDIAN);
    private int position;

    /** Queues without work requests. */
    public Mlx5Rings() {
        Arrays.fill(chain, send);
        DEVICE.describe(entry, qp.qpn());
    }

    private static QueuePair connected(QueuePair qp) throws RdmaException {
        RawConnection.connect(qp, qp.qpn(), CardKernel.WAY);
        return qp;
    }

    CompletionQueue cq() {
        return cq;
    }

    QueuePair qp() {
        return qp;
    }

    /** A signaled send of one piece of memory. */
    SendWorkRequest send() {
        return send;
    }

    /** A signaled send of inline data. */
    SendWorkRequest inline() {
        return inline;
    }

    /** As many sends as {@link #MANY}. */
    SendWorkRequest[] chain() {
        return chain;
    }

    WorkCompletion[] one() {
        return one;
    }

    WorkCompletion[] many() {
        return many;
    }

    /** As the device: the next {@link #BATCH} work requests, of so many blocks each, have been sent. */
    void complete(int blocks) {
        for (int i = 0; i < BATCH; i++) {
            DEVICE.count(entry, position);
            device.forge(entry);
            position += blocks;
        }
    }

    /** Takes {@link #BATCH} completions. */
    void drain() {
        for (int polled = 0; polled < BATCH; polled += MANY) {
            if (cq.poll(many) != MANY || !many[0].isSuccess()) {
                throw new IllegalStateException("no completion, or a failure: " + many[0]);
            }
        }
    }

    /** Posts {@link #BATCH} sends, {@link #MANY} a call. */
    void postAll() throws RdmaException {
        for (int posted = 0; posted < BATCH; posted += MANY) {
            if (qp.postSend(chain, MANY) != MANY) {
                throw new IllegalStateException("the send queue is full");
            }
        }
    }

    @TearDown
    public void close() throws RdmaException {
        context.close();
    }
}
