// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.micro;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.management.ManagementFactory;

/** What the benchmarks of {@link ProviderPace} allocate, without what fills and drains the rings and without JMH. */
final class PaceAllocations {
    private static final int WARM_UPS = 400;
    private static final int ROUNDS = 100;

    /** The least of these counts: code that is compiled meanwhile may allocate once, and an operation that allocates does so in each. */
    private static final int TURNS = 5;

    private static final int BATCHES = 6;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final ProviderPace pace = new ProviderPace();
    private final ProviderPace.Drained drained;
    private final ProviderPace.DrainedInline drainedInline;
    private final ProviderPace.Filled filled;
    private long allocated;

    private PaceAllocations(PaceDevice device) {
        drained = new ProviderPace.Drained(device);
        drainedInline = new ProviderPace.DrainedInline(device);
        filled = new ProviderPace.Filled(device);
    }

    @FunctionalInterface
    private interface Batch {
        void run() throws RdmaException;
    }

    /** Bytes for each work request, completion or empty poll. */
    static double bytesAnOperation(PaceDevice device) throws RdmaException {
        PaceAllocations allocations = new PaceAllocations(device);
        for (int i = 0; i < WARM_UPS; i++) {
            allocations.round();
        }
        long least = Long.MAX_VALUE;
        for (int turn = 0; turn < TURNS; turn++) {
            allocations.allocated = 0;
            for (int i = 0; i < ROUNDS; i++) {
                allocations.round();
            }
            least = Math.min(least, allocations.allocated);
        }
        allocations.close();
        return (double) least / ((long) ROUNDS * BATCHES * PaceRings.BATCH);
    }

    private void round() throws RdmaException {
        count(() -> pace.post(drained));
        drained.completeAndDrain();
        count(() -> pace.postSixteen(drained));
        drained.completeAndDrain();
        count(() -> pace.postInline(drainedInline));
        drainedInline.completeAndDrain();
        filled.postAndComplete();
        count(() -> pace.poll(filled));
        filled.postAndComplete();
        count(() -> pace.pollSixteen(filled));
        count(() -> pace.pollEmpty(filled));
    }

    private void count(Batch batch) throws RdmaException {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        batch.run();
        allocated += THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private void close() throws RdmaException {
        drained.close();
        drainedInline.close();
        filled.close();
    }
}
