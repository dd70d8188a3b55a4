// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.micro;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.instant.InstantKernel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** {@link QueuePair#postSend(SendWorkRequest)}: checks, work queue element, doorbell; without the doorbell's system call. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Posting {
    private static final int LENGTH = 64;
    private static final int CHAIN = 16;

    private static final int CAPACITY = 127;

    private final InstantKernel kernel = new InstantKernel(CAPACITY);
    private final DeviceContext context = Setups.open(kernel);
    private final ProtectionDomain pd = Setups.of(context::allocatePd);
    private final CompletionQueue cq = Setups.of(() -> context.createCq(CAPACITY));
    private final MemoryRegion region =
            Setups.of(() -> pd.registerMr(ByteBuffer.allocateDirect(LENGTH), EnumSet.of(Access.LOCAL_WRITE)));
    private final QueuePair qp =
            Setups.of(() -> pd.createQp(QueuePairOptions.builder().cq(cq).build()));
    private final SendWorkRequest send =
            new SendWorkRequest(1).send().add(region, 0, LENGTH).signaled();
    private final SendWorkRequest write = new SendWorkRequest(1).rdmaWrite(0, 1).add(region, 0, LENGTH);
    private final SendWorkRequest inline = new SendWorkRequest(0).send().inline(ByteBuffer.allocate(LENGTH));
    private final SendWorkRequest[] chain = new SendWorkRequest[CHAIN];

    /** Brings the queue pair to where it sends. */
    @Setup
    public void connect() throws RdmaException {
        qp.modify(QpAttr.builder().state(QpState.RTS).build());
        Arrays.fill(chain, send);
    }

    @Benchmark
    public void send() throws RdmaException {
        qp.postSend(send);
    }

    @Benchmark
    public void rdmaWrite() throws RdmaException {
        qp.postSend(write);
    }

    @Benchmark
    public void inline() throws RdmaException {
        qp.postSend(inline);
    }

    /** Sixteen requests behind a single doorbell. */
    @Benchmark
    public int chain() throws RdmaException {
        return qp.postSend(chain, CHAIN);
    }

    @TearDown
    public void close() throws RdmaException {
        context.close();
    }
}
