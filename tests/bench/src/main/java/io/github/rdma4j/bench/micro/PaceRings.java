// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.micro;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.providers.kernel.CardKernel;
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
public class PaceRings {
    static final int BATCH = 256;
    static final int MANY = 16;

    private static final int LENGTH = 64;

    private final PaceDevice device;
    private final CardKernel kernel;
    private final DeviceContext context;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final SendWorkRequest send = new SendWorkRequest(1).send().signaled();
    private final SendWorkRequest inline =
            new SendWorkRequest(0).send().inline(ByteBuffer.allocate(LENGTH)).signaled();
    private final SendWorkRequest[] chain = new SendWorkRequest[MANY];
    private final WorkCompletion[] one = WorkCompletion.array(1);
    private final WorkCompletion[] many = WorkCompletion.array(MANY);

    private int position;

    /** Queues of the device of this process without work requests. */
    public PaceRings() {
        this(PaceDevice.chosen());
    }

    PaceRings(PaceDevice device) {
        this.device = device;
        kernel = device.kernel();
        context = Setups.of(kernel::openDevice);
        ProtectionDomain pd = Setups.of(context::allocatePd);
        cq = Setups.of(() -> context.createCq(2 * BATCH - 1));
        qp = Setups.of(() -> connected(pd.createQp(QueuePairOptions.builder()
                .cq(cq)
                .maxSendWr(BATCH)
                .maxReceiveWr(1)
                .maxInline(LENGTH)
                .build())));
        MemoryRegion region =
                Setups.of(() -> pd.registerMr(ByteBuffer.allocateDirect(LENGTH), EnumSet.of(Access.LOCAL_WRITE)));
        send.add(region, 0, LENGTH);
        Arrays.fill(chain, send);
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

    /** As the device: the next {@link #BATCH} sends, of one block each, have been carried out. */
    void complete() {
        complete(1);
    }

    /** As the device: the next {@link #BATCH} sends of inline data have been carried out. */
    void completeInline() {
        complete(device.sends().blocksOfInline());
    }

    private void complete(int blocks) {
        for (int i = 0; i < BATCH; i++) {
            int begin = device.sends().begin(position, blocks);
            kernel.card()
                    .feignSend(
                            qp.qpn(),
                            begin % device.sends().lap(),
                            device.sends().code());
            position = (begin + blocks) % device.sends().lap();
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
