// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.micro;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.instant.InstantKernel;
import io.github.rdma4j.providers.instant.SharedRing;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.WorkCompletion;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** {@link CompletionQueue#poll} on a ring that holds no completion, a single completion, and sixteen. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Polling {
    private static final int MANY = 16;

    private static final int CAPACITY = 127;

    private final InstantKernel kernel = new InstantKernel(CAPACITY);
    private final WorkCompletion[] into = WorkCompletion.array(MANY);
    private final DeviceContext context = Setups.open(kernel);
    private final CompletionQueue cq = Setups.of(() -> context.createCq(CAPACITY));
    private final SharedRing ring = kernel.lastRing();

    /** Fills the slots, whose content stays. */
    @Setup
    public void fill() throws RdmaException {
        for (int i = 0; i <= CAPACITY; i++) {
            ring.complete(i);
            cq.poll(into);
        }
    }

    @Benchmark
    public int empty() {
        return cq.poll(into);
    }

    @Benchmark
    public long single() {
        ring.show(1);
        cq.poll(into);
        return into[0].wrId();
    }

    @Benchmark
    public int sixteen() {
        ring.show(MANY);
        return cq.poll(into);
    }

    @TearDown
    public void close() throws RdmaException {
        context.close();
    }
}
