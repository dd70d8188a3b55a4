// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cli.perf.PerfResult.LatencyFigures;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
        options = bed.options;
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

    /**
     * Alternating messages. As in perftest, each side waits for the acknowledgement of its message before it waits for the
     * next message.
     */
    static final class SendLatency extends Latency {
        private final boolean first;

        SendLatency(TestBed bed, boolean first) {
            super(bed);
            this.first = first;
        }

        @Override
        void run(int iterations) throws RdmaException, InterruptedException {
            for (int i = 0; i < iterations; i++) {
                if (!first) {
                    receive();
                }
                post(i);
                bed.sends.awaitOne();
                if (first) {
                    receive();
                }
            }
        }

        /** Ends when this side's time is over, which leaves a message of either side unanswered. */
        @Override
        void runByTime() throws RdmaException, InterruptedException {
            if (first) {
                send();
            }
            while (bed.receives.awaitOne(period)) {
                period.start();
                link.postReceive();
                count();
                if (!period.look()) {
                    return;
                }
                send();
            }
        }

        private void send() throws RdmaException, InterruptedException {
            link.qp.postSend(message);
            bed.sends.awaitOne();
        }

        private void receive() throws RdmaException, InterruptedException {
            bed.receives.awaitOne();
            link.postReceive();
        }
    }

    /**
     * Writes in turns, the server first: a side writes when the last byte of its memory has become the number of the peer's
     * next message. After the last message, a server ends the connection at once.
     */
    static final class WriteLatency extends Latency {
        private static final VarHandle WORD =
                MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

        private final boolean first;
        private final ByteBuffer memory;
        private final int lastSent;
        private final int word;
        private final int shift;

        WriteLatency(TestBed bed, boolean first) {
            super(bed);
            this.first = first;
            memory = bed.memory;
            lastSent = bed.options.size() - 1;
            int lastReceived = bed.spread.half() + lastSent;
            word = lastReceived / Integer.BYTES * Integer.BYTES;
            shift = lastReceived % Integer.BYTES * Byte.SIZE;
        }

        @Override
        void run(int iterations) throws RdmaException, InterruptedException {
            for (int i = 0; i < iterations - 1; i++) {
                turn(i);
                bed.sends.awaitOne();
            }
            turn(iterations - 1);
            awaitLastAcknowledgement();
        }

        /**
         * Runs by time, which the first message starts: the server may be late. The peer ends by its own clock, without a
         * message, so a failure after the measured time counts as its end.
         */
        @Override
        void runByTime() throws RdmaException, InterruptedException {
            if (first) {
                period.start();
            }
            try {
                for (int i = 0; (i == 0 && first) || awaitByTime(first ? i : i + 1); i++) {
                    memory.put(lastSent, (byte) (i + 1));
                    link.qp.postSend(message);
                    bed.sends.awaitOne();
                    count();
                }
            } catch (RdmaException e) {
                period.look();
                if (!period.hasCounted()) {
                    throw e;
                }
            }
        }

        private boolean awaitByTime(int number) throws RdmaException, InterruptedException {
            long start = System.nanoTime();
            while (period.look()) {
                if (hasCome(number)) {
                    period.start();
                    return true;
                }
                bed.requireHope(start);
            }
            return false;
        }

        private void turn(int iteration) throws RdmaException, InterruptedException {
            if (first) {
                if (iteration > 0) {
                    receive(iteration);
                }
            } else {
                receive(iteration + 1);
            }
            memory.put(lastSent, (byte) (iteration + 1));
            post(iteration);
        }

        private void receive(int number) throws RdmaException, InterruptedException {
            if (hasCome(number)) {
                return;
            }
            long start = System.nanoTime();
            while (!hasCome(number)) {
                bed.requireHope(start);
            }
        }

        private boolean hasCome(int number) {
            boolean come = isThere(number);
            for (int look = 1; !come && look <= Completions.LOOK; look++) {
                come = isThere(number);
                Completions.offer(look);
            }
            return come;
        }

        private boolean isThere(int number) {
            return (byte) ((int) WORD.getAcquire(memory, word) >>> shift) == (byte) number;
        }

        private void awaitLastAcknowledgement() throws RdmaException, InterruptedException {
            if (first) {
                bed.sends.awaitOne();
                receive(bed.options.iterations());
                return;
            }
            try {
                bed.sends.awaitOne();
            } catch (RdmaException e) {
                // the server ended the connection because it has seen the last message
                if (!bed.isDisconnected()) {
                    throw e;
                }
            }
        }
    }
}
