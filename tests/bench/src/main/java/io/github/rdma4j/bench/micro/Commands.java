// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.micro;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.Ece;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.ConnectionRequests.ConnectCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.instant.InstantKernel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Commands of the connection manager: arena, encoding, the call, decoding; without the system call. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Commands {
    private static final ConnectCommand CONNECT =
            new ConnectCommand(1, new ConnParam(1, 0, new byte[56], false, 1, 1, 0, 7, 7), Ece.NONE);

    private final InstantKernel kernel = new InstantKernel(1);
    private final EventChannel channel = Setups.of(() -> EventChannel.open(kernel.kernel()));
    private final CmId id = Setups.of(() -> channel.createId(PortSpace.TCP));
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4096).order(ByteOrder.nativeOrder());

    /** {@code SET_OPTION}: a command with a payload and without a reply. */
    @Benchmark
    public void setOption() throws RdmaException {
        id.settings().typeOfService(8);
    }

    /** {@code CREATE_ID} and {@code DESTROY_ID}, with all that belongs to an id. */
    @Benchmark
    public void createAndClose() throws RdmaException {
        channel.createId(PortSpace.TCP).close();
    }

    /** Encoding {@code struct rdma_ucm_connect} alone. */
    @Benchmark
    public ByteBuffer encodeConnect() {
        CONNECT.encode(memory, 0);
        return memory;
    }

    @TearDown
    public void close() throws RdmaException {
        id.close();
        channel.close();
    }
}
