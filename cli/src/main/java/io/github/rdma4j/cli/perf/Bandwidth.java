// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.util.Optional;

/** The client of a bandwidth program: as many messages under way as the depth allows. */
final class Bandwidth implements Measurement {
    /** A completion for each so many small messages, as in perftest. */
    private static final int MODERATION = 100;

    /** Each larger message completes by itself. */
    private static final int MODERATION_LIMIT = 8192;

    /** Beyond, perftest does not look for the peak either: it takes time with the square of the number. */
    private static final int MOST_FOR_PEAK = 20_000;

    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLION = 1e6;

    private final TestLink link;
    private final PeerEntry peer;
    private final int iterations;
    private final int depth;
    private final int moderation;
    private final long[] posted;

    /** When the completion of a message was taken; 0 for a message without one. */
    private final long[] completed;

    private final SendWorkRequest request = new SendWorkRequest(1);
    private int sent;
    private int done;

    Bandwidth(TestLink link, PeerEntry peer) {
        this.link = link;
        this.peer = peer;
        PerfOptions options = link.options();
        iterations = options.iterations();
        depth = options.depth();
        moderation = options.size() > MODERATION_LIMIT ? 1 : Math.min(MODERATION, depth);
        posted = new long[iterations];
        completed = new long[iterations];
    }

    @Override
    public void run() throws RdmaException, InterruptedException {
        while (done < iterations) {
            while (sent < iterations && sent - done < depth) {
                post();
            }
            take();
        }
    }

    private void post() throws RdmaException {
        link.fill(request, peer, sent).wrId(sent);
        if (sent % moderation == moderation - 1 || sent == iterations - 1) {
            request.signaled();
        }
        posted[sent] = System.nanoTime();
        link.qp().postSend(request);
        sent++;
    }

    /** The completion of a message tells the end of those before it as well. */
    private void take() throws RdmaException, InterruptedException {
        int taken = link.sends().await();
        long now = System.nanoTime();
        for (int i = 0; i < taken; i++) {
            int last = (int) link.sends().taken(i).wrId();
            completed[last] = now;
            done = last + 1;
        }
    }

    @Override
    public PerfResult result(long allocatedBytes) {
        long nanos = completed[iterations - 1] - posted[0];
        return result(link.options(), nanos, peak(), allocatedBytes);
    }

    /** The result of {@code nanos} for all messages. */
    static PerfResult result(PerfOptions options, long nanos, double peak, long allocatedBytes) {
        double seconds = nanos / NANOS_PER_SECOND;
        int iterations = options.iterations();
        BandwidthFigures figures = new BandwidthFigures(
                options.size(),
                iterations,
                peak,
                (double) options.size() * iterations / BYTES_PER_MIB / seconds,
                iterations / MILLION / seconds);
        return new PerfResult(
                options.program(), options.size(), iterations, Optional.empty(), Optional.of(figures), allocatedBytes);
    }

    private double peak() {
        if (iterations > MOST_FOR_PEAK) {
            return 0;
        }
        double least = Double.MAX_VALUE;
        for (int to = 0; to < iterations; to++) {
            if (completed[to] != 0) {
                least = Math.min(least, leastUntil(to));
            }
        }
        return link.options().size() / BYTES_PER_MIB * NANOS_PER_SECOND / least;
    }

    /** Nanoseconds of a message in the fastest run of messages that ends with message {@code to}. */
    private double leastUntil(int to) {
        double least = Double.MAX_VALUE;
        for (int from = 0; from <= to; from++) {
            least = Math.min(least, (double) (completed[to] - posted[from]) / (to - from + 1));
        }
        return least;
    }
}
