// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cli.perf.PerfResult.BandwidthFigures;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.util.List;
import java.util.Optional;

/**
 * A side of a bandwidth program that posts as many messages on each queue pair as the depth allows. With messages in
 * both directions, the side also receives, and a server posts only after the client's first message.
 */
final class Bandwidth implements Measurement {
    /**
     * The maximum number of messages with a search for the peak, whose time is quadratic in the number; as in perftest.
     */
    private static final int MOST_FOR_PEAK = 20_000;

    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double BYTES_PER_GIGABIT = 1e9 / 8;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLION = 1e6;

    private final TestBed bed;
    private final PerfOptions options;
    private final int depth;
    private final int moderation;
    private final long perLink;
    private final long all;
    private final boolean receives;
    private final Period period;
    private final SendWorkRequest request = new SendWorkRequest(1);

    /** The number of messages sent, by queue pair. */
    private final long[] sent;

    private final long[] done;

    /** The times of posts and completions; without a peak, only of the first and the last message. */
    private final long[] posted;

    private final long[] completed;
    private boolean open;
    private long sentAll;
    private long doneAll;
    private long received;
    private long counted;

    Bandwidth(TestBed bed) {
        this.bed = bed;
        options = bed.options;
        depth = options.depth();
        moderation = options.moderation();
        perLink = options.isTimed() ? Long.MAX_VALUE : options.iterations();
        all = options.isTimed() ? Long.MAX_VALUE : options.messages();
        receives = options.receiveDepth() > 0 && options.bidirectional;
        open = options.isClient() || !receives;
        period = new Period(options.seconds());
        sent = new long[options.queuePairs];
        done = new long[options.queuePairs];
        int times = looksForPeak() ? (int) all : 1;
        posted = new long[times];
        completed = new long[times];
    }

    private boolean looksForPeak() {
        return !options.isTimed() && options.iterations() <= MOST_FOR_PEAK && all <= Integer.MAX_VALUE;
    }

    @Override
    public void run() throws RdmaException, InterruptedException {
        if (open) {
            period.start();
        }
        while (isBusy()) {
            if (open) {
                post();
            }
            take();
        }
    }

    private boolean isBusy() {
        return options.isTimed() ? period.look() : doneAll < all || (receives && received < all);
    }

    private void post() throws RdmaException {
        List<TestLink> links = bed.links;
        for (int i = 0; i < sent.length; i++) {
            TestLink link = links.get(i);
            while (sent[i] < perLink && sent[i] - done[i] < depth) {
                post(link, i);
            }
        }
    }

    private void post(TestLink link, int i) throws RdmaException {
        long number = sent[i];
        link.fill(request, (int) (number & Integer.MAX_VALUE)).wrId(number * sent.length + i);
        if (number % moderation == moderation - 1 || number == perLink - 1) {
            request.signaled();
        }
        if (sentAll < posted.length) {
            posted[(int) sentAll] = System.nanoTime();
        }
        link.qp.postSend(request);
        sent[i]++;
        sentAll++;
    }

    private void take() throws RdmaException, InterruptedException {
        if (!receives) {
            takeSends(options.isTimed() ? bed.sends.poll() : bed.sends.await());
            return;
        }
        int taken = takeBoth();
        if (taken == 0 && options.events) {
            bed.sends.requestEvent();
            bed.receives.requestEvent();
            if (takeBoth() == 0) {
                sleep();
            }
        }
    }

    private void sleep() throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        while (bed.channel.awaitEvent(Completions.NAP).isEmpty()) {
            bed.requireHope(start);
        }
    }

    private int takeBoth() throws RdmaException, InterruptedException {
        int taken = bed.receives.poll();
        takeReceives(taken);
        int polled = bed.sends.poll();
        takeSends(polled);
        return taken + polled;
    }

    private void takeReceives(int taken) throws RdmaException {
        for (int i = 0; i < taken; i++) {
            bed.links.get((int) bed.receives.taken(i).wrId()).postReceive();
        }
        received += taken;
        if (taken > 0 && !open) {
            open = true;
            period.start();
        }
        counted += period.counts() ? taken : 0;
    }

    /** Records completions of sends, each of which also completes the earlier messages of its queue pair. */
    private void takeSends(int taken) {
        if (taken == 0) {
            return;
        }
        long now = System.nanoTime();
        for (int i = 0; i < taken; i++) {
            WorkCompletion completion = bed.sends.taken(i);
            int link = (int) (completion.wrId() % sent.length);
            long upTo = completion.wrId() / sent.length + 1;
            long more = upTo - done[link];
            done[link] = upTo;
            doneAll += more;
            counted += period.counts() ? more : 0;
            completed[completed.length == 1 ? 0 : (int) doneAll - 1] = now;
        }
    }

    @Override
    public PerfResult result(long allocatedBytes) {
        if (options.isTimed()) {
            return result(options, counted, period.nanos(), 0, allocatedBytes);
        }
        return result(options, all, completed[completed.length - 1] - posted[0], peak(), allocatedBytes);
    }

    private static double unit(PerfOptions options) {
        return options.gigabits ? BYTES_PER_GIGABIT : BYTES_PER_MIB;
    }

    /** The result of {@code messages} in {@code nanos}. */
    static PerfResult result(PerfOptions options, long messages, long nanos, double peak, long allocatedBytes) {
        double seconds = nanos / NANOS_PER_SECOND;
        BandwidthFigures figures = new BandwidthFigures(
                options.size(),
                messages,
                peak,
                (double) options.size() * messages / unit(options) / seconds,
                messages / MILLION / seconds);
        return new PerfResult(
                options.program(), options.size(), messages, Optional.empty(), Optional.of(figures), allocatedBytes);
    }

    private double peak() {
        if (!looksForPeak()) {
            return 0;
        }
        double least = Double.MAX_VALUE;
        for (int to = 0; to < completed.length; to++) {
            if (completed[to] != 0) {
                least = Math.min(least, leastUntil(to));
            }
        }
        return options.size() / unit(options) * NANOS_PER_SECOND / least;
    }

    /** The time per message, in nanoseconds, of the fastest run of messages that ends with message {@code to}. */
    private double leastUntil(int to) {
        double least = Double.MAX_VALUE;
        for (int from = 0; from <= to; from++) {
            least = Math.min(least, (double) (completed[to] - posted[from]) / (to - from + 1));
        }
        return least;
    }

    /** The server of {@code send_bw}: measures from the first received message, and does not search for a peak. */
    static final class ReceiveBandwidth implements Measurement {
        private final TestBed bed;
        private final Period period;
        private long counted;
        private long first;
        private long last;

        ReceiveBandwidth(TestBed bed) {
            this.bed = bed;
            period = new Period(bed.options.seconds());
        }

        @Override
        public void run() throws RdmaException, InterruptedException {
            if (bed.options.isTimed()) {
                runByTime();
                return;
            }
            long all = bed.options.messages();
            counted = take(bed.receives.await());
            first = System.nanoTime();
            while (counted < all) {
                counted += take(bed.receives.await());
            }
            last = System.nanoTime();
        }

        private void runByTime() throws RdmaException, InterruptedException {
            while (period.look()) {
                int taken = take(bed.receives.poll());
                if (taken > 0) {
                    period.start();
                    counted += period.counts() ? taken : 0;
                }
            }
            last = period.nanos();
        }

        private int take(int taken) throws RdmaException {
            for (int i = 0; i < taken; i++) {
                bed.links.get((int) bed.receives.taken(i).wrId()).postReceive();
            }
            return taken;
        }

        @Override
        public PerfResult result(long allocatedBytes) {
            return Bandwidth.result(bed.options, counted, Math.max(1, last - first), 0, allocatedBytes);
        }
    }
}
