// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cli.perf.PerfResult.LatencyFigures;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.util.Arrays;
import java.util.Optional;

/**
 * The base of the latency programs: the time at which each message was posted, or the number of messages in a time. For
 * a message that is answered by a message of the same kind, the result is half the time.
 */
abstract class Latency implements Measurement {
    private static final double NANOS_PER_MICRO = 1000;
    private static final double NANOS_PER_SECOND = 1e9;

    final TestBed bed;
    final TestLink link;
    final SendWorkRequest message;
    final Period period;
    private final PerfOptions options;
    private final long[] posted;
    private int counted;

    Latency(TestBed bed) {
        this.bed = bed;
        options = bed.options();
        link = bed.link();
        message = link.fill(new SendWorkRequest(1), 0).signaled();
        period = new Period(options.seconds());
        posted = new long[options.isTimed() ? 0 : options.iterations()];
    }

    /** Reads or atomic operations, in sequence. */
    static final class Requests extends Latency {
        Requests(TestBed bed) {
            super(bed);
        }

        @Override
        void run(int iterations) throws RdmaException, InterruptedException {
            for (int i = 0; i < iterations; i++) {
                post(i);
                bed.sends.awaitOne();
            }
        }

        @Override
        void runByTime() throws RdmaException, InterruptedException {
            period.start();
            while (period.look()) {
                link.qp.postSend(message);
                bed.sends.awaitOne();
                count();
            }
        }
    }

    @Override
    public final void run() throws RdmaException, InterruptedException {
        if (options.isTimed()) {
            runByTime();
        } else {
            run(options.iterations());
        }
    }

    abstract void run(int iterations) throws RdmaException, InterruptedException;

    abstract void runByTime() throws RdmaException, InterruptedException;

    /** Posts a message and records the time. */
    final void post(int iteration) throws RdmaException {
        posted[iteration] = System.nanoTime();
        link.qp.postSend(message);
    }

    /** Counts a message of a timed run. */
    final void count() {
        if (period.counts()) {
            counted++;
        }
    }

    @Override
    public final PerfResult result(long allocatedBytes) {
        double ways = options.program().verb().isRequest() ? 1 : 2;
        return new PerfResult(
                options.program(),
                options.size(),
                options.isTimed() ? counted : posted.length,
                Optional.of(options.isTimed() ? timed(ways) : counted(ways)),
                Optional.empty(),
                allocatedBytes);
    }

    private LatencyFigures counted(double ways) {
        double[] times = new double[posted.length - 1];
        Arrays.setAll(times, i -> (posted[i + 1] - posted[i]) / ways);
        Arrays.sort(times);
        return LatencyFigures.of(times);
    }

    private LatencyFigures timed(double ways) {
        return LatencyFigures.ofAverage(
                period.nanos() / NANOS_PER_MICRO / ways / counted, counted * NANOS_PER_SECOND / period.nanos());
    }
}
