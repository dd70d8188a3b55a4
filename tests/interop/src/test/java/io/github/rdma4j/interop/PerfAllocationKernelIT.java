// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.perf.PerfOptions;
import io.github.rdma4j.cli.perf.PerfProgram;
import io.github.rdma4j.cli.perf.PerfResult;
import io.github.rdma4j.cli.perf.PerfRun;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the client of perf allocates while it measures. */
@RequiresKernel
class PerfAllocationKernelIT {
    /** Many, so that what each of them allocates shows. */
    private static final int MESSAGES = 5000;

    /** Bytes. */
    private static final int FIRST_WAITS = 400;

    /** The compiler allocates for the thread that it compiles for at times; what the code allocates, it allocates every time. */
    @ParameterizedTest
    @EnumSource(
            value = PerfProgram.class,
            names = {"WRITE_BW", "READ_LAT", "ATOMIC_BW"})
    @Nightly
    void allocatesNothingWhileItPolls(PerfProgram program) throws Exception {
        assertThat(leastAllocated(program, false, 0)).isZero();
    }

    /**
     * A queue that nobody has waited for takes a few objects with its first wait. Client and server request events of one device
     * at the same time, in about one of 500 messages.
     */
    @Test
    void allocatesNothingWithAMessageWhileItSleeps() throws Exception {
        assertThat(leastAllocated(PerfProgram.SEND_LAT, true, FIRST_WAITS)).isLessThanOrEqualTo(FIRST_WAITS);
    }

    /** The least of at most five runs, which end with the first that allocates no more than {@code enough}. */
    private static long leastAllocated(PerfProgram program, boolean sleep, long enough) throws Exception {
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 5 && least > enough; run++) {
            least = Math.min(least, allocated(program, sleep));
        }
        return least;
    }

    /** Bytes that the client has allocated. */
    private static long allocated(PerfProgram program, boolean sleep) throws Exception {
        InetSocketAddress address = Rxe.newAddress();
        PerfOptions passive =
                PerfOptions.of(program).size(8).iterations(MESSAGES).events(sleep);
        Await.Running<PerfResult> server =
                Await.inThread(() -> PerfRun.server(passive.local(address), listening -> {}));
        Listeners.await(address.getPort());
        PerfOptions client =
                PerfOptions.of(program).size(8).iterations(MESSAGES).events(sleep);
        long allocated = PerfRun.client(client.server(address)).allocatedBytes();
        server.result();
        return allocated;
    }
}
