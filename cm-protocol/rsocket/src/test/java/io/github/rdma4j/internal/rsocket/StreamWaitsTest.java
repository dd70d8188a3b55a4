// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.testkit.ScriptedKernel;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class StreamWaitsTest {
    private static final int FD = 7;

    private final ScriptedKernel kernel = new ScriptedKernel();
    private final KernelFd channel = KernelFd.adopt(kernel.kernel(Path.of("/")), FD, "completion channel");
    private final ReentrantLock lock = new ReentrantLock();
    private final StreamWaits waits = new StreamWaits(lock, channel);

    /** The device goes after the leader has let go of the lock, and before it sleeps. */
    @Test
    void aChannelThatIsClosedBeforeTheSleepEndsTheSleep() throws Exception {
        kernel.expectClose(FD);
        channel.close();
        lock.lock();
        waits.lead(Long.MAX_VALUE);

        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(waits.isLed()).isFalse();
    }
}
