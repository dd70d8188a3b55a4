// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.instant.InstantKernel;
import io.github.rdma4j.providers.instant.SharedRing;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether an operation costs more the more objects there are: posting and polling by the queue pairs on a completion queue, commands by the
 * ids on a channel. In Java only, over {@link InstantKernel}; each operation takes the next object, as a busy server's do.
 */
final class CostGrowth {
    /** The queue pairs on a completion queue. */
    static final List<Integer> QUEUE_PAIRS = List.of(1, 64, 1024);

    /** The ids on a channel. */
    static final List<Integer> IDS = List.of(1, 1000, 10_000);

    private static final int ROUNDS = 5;
    private static final int RING = 15;
    private static final int MANY = 8;
    private static final int LENGTH = 64;
    private static final int TYPE_OF_SERVICE = 8;
    private static final int BATCH = 1024;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final int iterations;
    private final int milliseconds;

    CostGrowth(CostBench.Pace pace) {
        iterations = pace.iterations();
        milliseconds = pace.milliseconds();
    }

    @FunctionalInterface
    private interface Batch {
        void run() throws RdmaException;
    }

    /** Nanoseconds of an operation, by its name and the number of objects. */
    Map<String, Map<Integer, Double>> measure() throws RdmaException {
        Map<String, Map<Integer, Double>> all = new LinkedHashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int count : QUEUE_PAIRS) {
                put(all, "post_and_poll", count, postAndPoll(count));
            }
            for (int count : IDS) {
                command(count, all);
            }
        }
        return all;
    }

    /** Keeps the least of the rounds: the first is the JIT's, and in any of them the machine may do something else as well. */
    private static void put(Map<String, Map<Integer, Double>> all, String name, int count, double nanos) {
        all.computeIfAbsent(name, none -> new LinkedHashMap<>()).merge(count, nanos, Math::min);
    }

    private double postAndPoll(int count) throws RdmaException {
        InstantKernel kernel = new InstantKernel(RING);
        try (DeviceContext context = kernel.openDevice()) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCq(RING);
            SharedRing completions = kernel.lastRing();
            QueuePair[] qps = new QueuePair[count];
            for (int i = 0; i < count; i++) {
                qps[i] = pd.createQp(QueuePairOptions.builder()
                        .cq(cq)
                        .maxSendWr(RING)
                        .maxReceiveWr(1)
                        .maxInline(LENGTH)
                        .build());
                qps[i].modify(QpAttr.builder().state(QpState.RTS).build());
            }
            SendWorkRequest request = new SendWorkRequest(0)
                    .wrId(1)
                    .send()
                    .inline(ByteBuffer.allocate(LENGTH))
                    .signaled();
            WorkCompletion[] polled = WorkCompletion.array(MANY);
            int[] next = {0};
            return nanos(() -> {
                for (int done = 0; done < BATCH; done += MANY) {
                    for (int i = 0; i < MANY; i++) {
                        qps[next[0]].postSend(request);
                        next[0] = (next[0] + 1) % count;
                        completions.complete(1);
                    }
                    check(cq.poll(polled) == MANY && polled[0].isSuccess());
                }
            });
        }
    }

    private void command(int count, Map<String, Map<Integer, Double>> all) throws RdmaException {
        List<CmId> ids = new ArrayList<>();
        try (EventChannel channel = EventChannel.open(new InstantKernel(RING).kernel())) {
            for (int i = 0; i < count; i++) {
                ids.add(channel.createId(PortSpace.TCP));
            }
            int[] next = {0};
            put(all, "set_option", count, nanos(() -> {
                for (int i = 0; i < BATCH; i++) {
                    ids.get(next[0]).settings().typeOfService(TYPE_OF_SERVICE);
                    next[0] = (next[0] + 1) % count;
                }
            }));
            put(all, "create_and_destroy", count, nanos(() -> {
                for (int i = 0; i < BATCH; i++) {
                    channel.createId(PortSpace.TCP).close();
                }
            }));
            for (CmId id : ids) {
                id.close();
            }
        }
    }

    /** The median of the batches: whatever else the machine does meanwhile lies in few of them. */
    private double nanos(Batch batch) throws RdmaException {
        long end = System.nanoTime() + (long) iterations * milliseconds * NANOS_PER_MILLI;
        long[] times = new long[1 << 16];
        int count = 0;
        do {
            long start = System.nanoTime();
            batch.run();
            times[count++] = System.nanoTime() - start;
        } while (count < times.length && System.nanoTime() < end);
        Arrays.sort(times, 0, count);
        return (double) times[count / 2] / BATCH;
    }

    private static void check(boolean good) {
        if (!good) {
            throw new IllegalStateException("the completion does not match the request that was posted");
        }
    }
}
