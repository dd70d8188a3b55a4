// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

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

/**
 * A queue pair and a completion queue of a {@link PaceDevice} that does nothing by itself: {@link #complete} is the device. The sizes are
 * those of {@code pace.c}.
 */
final class PaceRings implements AutoCloseable {
    private static final int BATCH = CostObjects.BATCH;
    private static final int MANY = 16;

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

    /** Queues of the device without work requests. */
    PaceRings(PaceDevice device) throws RdmaException {
        this.device = device;
        kernel = device.kernel();
        context = kernel.openDevice();
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCq(2 * BATCH - 1);
        qp = pd.createQp(QueuePairOptions.builder()
                .cq(cq)
                .maxSendWr(BATCH)
                .maxReceiveWr(1)
                .maxInline(LENGTH)
                .build());
        RawConnection.connect(qp, qp.qpn(), CardKernel.WAY);
        MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(LENGTH), EnumSet.of(Access.LOCAL_WRITE));
        send.add(region, 0, LENGTH);
        Arrays.fill(chain, send);
    }

    void post() throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            qp.postSend(send);
        }
    }

    /** Sixteen requests behind a single doorbell. */
    void postMany() throws RdmaException {
        for (int posted = 0; posted < BATCH; posted += MANY) {
            if (qp.postSend(chain, MANY) != MANY) {
                throw new IllegalStateException("the send queue is full");
            }
        }
    }

    void postInline() throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            qp.postSend(inline);
        }
    }

    /** Posts, and completes what was posted. */
    void fill() throws RdmaException {
        postMany();
        complete(1);
    }

    void poll() {
        for (int i = 0; i < BATCH; i++) {
            if (cq.poll(one) != 1 || !one[0].isSuccess()) {
                throw new IllegalStateException("no completion, or a failure: " + one[0]);
            }
        }
    }

    /** Sixteen completions a poll. */
    void pollMany() {
        for (int polled = 0; polled < BATCH; polled += MANY) {
            if (cq.poll(many) != MANY || !many[0].isSuccess()) {
                throw new IllegalStateException("no completion, or a failure: " + many[0]);
            }
        }
    }

    void pollEmpty() {
        for (int i = 0; i < BATCH; i++) {
            if (cq.poll(one) != 0) {
                throw new IllegalStateException("a completion from nowhere: " + one[0]);
            }
        }
    }

    void completeAndDrain() {
        complete(1);
        pollMany();
    }

    void completeAndDrainInline() {
        complete(device.sends().blocksOfInline());
        pollMany();
    }

    /** As the device: the next {@link #BATCH} sends, of so many blocks each, have been carried out. */
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

    @Override
    public void close() throws RdmaException {
        context.close();
    }
}
