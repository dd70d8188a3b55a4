// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.micro;

import static io.github.rdma4j.bench.micro.PaceRings.BATCH;

import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Posting and polling on the rings of a {@link PaceDevice}, as {@code pace.c} does on those of its C library. What
 * is timed is a batch of {@link PaceRings#BATCH} work requests, completions or polls; the rings are filled and
 * drained between the batches.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ProviderPace {
    /** Completes what was posted. */
    @State(Scope.Thread)
    public static class Drained extends PaceRings {
        /** Queues of the device of this process. */
        public Drained() {}

        Drained(PaceDevice device) {
            super(device);
        }

        @TearDown(Level.Invocation)
        public void completeAndDrain() {
            complete();
            drain();
        }
    }

    /** Completes what was posted inline. */
    @State(Scope.Thread)
    public static class DrainedInline extends PaceRings {
        /** Queues of the device of this process. */
        public DrainedInline() {}

        DrainedInline(PaceDevice device) {
            super(device);
        }

        @TearDown(Level.Invocation)
        public void completeAndDrain() {
            completeInline();
            drain();
        }
    }

    /** Posts, and completes what was posted. */
    @State(Scope.Thread)
    public static class Filled extends PaceRings {
        /** Queues of the device of this process. */
        public Filled() {}

        Filled(PaceDevice device) {
            super(device);
        }

        @Setup(Level.Invocation)
        public void postAndComplete() throws RdmaException {
            postAll();
            complete();
        }
    }

    @Benchmark
    public void post(Drained rings) throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            rings.qp().postSend(rings.send());
        }
    }

    /** Sixteen requests behind a single doorbell. */
    @Benchmark
    public void postSixteen(Drained rings) throws RdmaException {
        rings.postAll();
    }

    @Benchmark
    public void postInline(DrainedInline rings) throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            rings.qp().postSend(rings.inline());
        }
    }

    @Benchmark
    public void poll(Filled rings) {
        for (int i = 0; i < BATCH; i++) {
            if (rings.cq().poll(rings.one()) != 1 || !rings.one()[0].isSuccess()) {
                throw new IllegalStateException("no completion, or a failure: " + rings.one()[0]);
            }
        }
    }

    /** Sixteen completions a poll. */
    @Benchmark
    public void pollSixteen(Filled rings) {
        rings.drain();
    }

    @Benchmark
    public void pollEmpty(PaceRings rings) {
        for (int i = 0; i < BATCH; i++) {
            if (rings.cq().poll(rings.one()) != 0) {
                throw new IllegalStateException("a completion from nowhere: " + rings.one()[0]);
            }
        }
    }
}
