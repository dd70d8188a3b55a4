// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import io.github.rdma4j.bench.cost.PaceLoop.Benchmark;
import io.github.rdma4j.bench.cost.PaceLoop.Step;
import io.github.rdma4j.kernel.RdmaException;
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
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Posting and polling on one queue pair and its completion queue: each operation does {@link #BATCH} of them. The sizes are those of
 * {@code pace.c}.
 */
final class VerbsSteps {
    static final int BATCH = 256;

    /** What does nothing. */
    static final Step NOTHING = () -> {};

    private static final int MANY = 16;
    private static final int LENGTH = 64;

    private final CompletionQueue cq;
    private final QueuePair qp;
    private final SendWorkRequest single = new SendWorkRequest(1).wrId(1).send().signaled();
    private final SendWorkRequest inline = new SendWorkRequest(0)
            .wrId(1)
            .send()
            .inline(ByteBuffer.allocate(LENGTH))
            .signaled();
    private final SendWorkRequest[] chain = new SendWorkRequest[MANY];
    private final WorkCompletion[] one = WorkCompletion.array(1);
    private final WorkCompletion[] many = WorkCompletion.array(MANY);

    /** Queues without work requests; the queue pair is to be brought up yet. */
    VerbsSteps(DeviceContext context) throws RdmaException {
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCq(2 * BATCH - 1);
        qp = pd.createQp(QueuePairOptions.builder()
                .cq(cq)
                .maxSendWr(BATCH)
                .maxReceiveWr(1)
                .maxInline(LENGTH)
                .build());
        MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(LENGTH), EnumSet.of(Access.LOCAL_WRITE));
        single.add(region, 0, LENGTH);
        Arrays.fill(chain, single);
    }

    QueuePair qp() {
        return qp;
    }

    /**
     * The benchmarks by name.
     *
     * @param complete as the device: the {@link #BATCH} sends that were posted have been carried out
     * @param completeInline the same for sends of inline data
     */
    Map<String, Benchmark> benchmarks(Step complete, Step completeInline) {
        Step drain = () -> {
            complete.run();
            pollMany();
        };
        Step drainInline = () -> {
            completeInline.run();
            pollMany();
        };
        Step fill = () -> {
            postMany();
            complete.run();
        };
        Map<String, Benchmark> all = new LinkedHashMap<>();
        all.put("post", new Benchmark(NOTHING, this::post, drain));
        all.put("post_16", new Benchmark(NOTHING, this::postMany, drain));
        all.put("post_inline", new Benchmark(NOTHING, this::postInline, drainInline));
        all.put("poll", new Benchmark(fill, this::poll, NOTHING));
        all.put("poll_16", new Benchmark(fill, this::pollMany, NOTHING));
        all.put("poll_empty", new Benchmark(NOTHING, this::pollEmpty, NOTHING));
        return all;
    }

    private void post() throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            qp.postSend(single);
        }
    }

    private void postMany() throws RdmaException {
        for (int posted = 0; posted < BATCH; posted += MANY) {
            check(qp.postSend(chain, MANY) == MANY);
        }
    }

    private void postInline() throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            qp.postSend(inline);
        }
    }

    private void poll() {
        for (int i = 0; i < BATCH; i++) {
            check(cq.poll(one) == 1 && one[0].isSuccess() && one[0].wrId() == 1);
        }
    }

    private void pollMany() {
        for (int polled = 0; polled < BATCH; polled += MANY) {
            check(cq.poll(many) == MANY && many[0].isSuccess() && many[0].wrId() == 1);
        }
    }

    private void pollEmpty() {
        for (int i = 0; i < BATCH; i++) {
            check(cq.poll(one) == 0);
        }
    }

    static void check(boolean good) {
        if (!good) {
            throw new IllegalStateException("the completion does not match the request that was posted");
        }
    }
}
