// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Nightly;
import io.netty.testsuite.transport.socket.SocketAutoReadTest;
import io.netty.testsuite.transport.socket.SocketConditionalWritabilityTest;
import io.netty.testsuite.transport.socket.SocketDataReadInitialStateTest;
import io.netty.testsuite.transport.socket.SocketExceptionHandlingTest;
import io.netty.testsuite.transport.socket.SocketReadPendingTest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Netty's tests of reads that are asked for, and of writability. */
@RequiresKernel
@NettySuite
class NettySuiteFlowKernelIT {
    @Nested
    class SocketAutoRead extends SocketAutoReadTest {}

    @Nested
    class SocketReadPending extends SocketReadPendingTest {}

    @Nested
    @Nightly
    class SocketConditionalWritability extends SocketConditionalWritabilityTest {
        /** Each wire moves 100 MB with each allocator, for all of which Netty allows half a minute. */
        @Test
        @Override
        @Timeout(value = 3, unit = TimeUnit.MINUTES)
        public void testConditionalWritability(TestInfo test) throws Throwable {
            super.testConditionalWritability(test);
        }
    }

    @Nested
    class SocketDataReadInitialState extends SocketDataReadInitialStateTest {}

    @Nested
    class SocketExceptionHandling extends SocketExceptionHandlingTest {}
}
