// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Nightly;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.socket.SocketAutoReadTest;
import io.netty.testsuite.transport.socket.SocketConditionalWritabilityTest;
import io.netty.testsuite.transport.socket.SocketDataReadInitialStateTest;
import io.netty.testsuite.transport.socket.SocketExceptionHandlingTest;
import io.netty.testsuite.transport.socket.SocketReadPendingTest;
import io.netty.testsuite.transport.socket.TrafficShapingHandlerTest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Netty's tests of reads that are asked for, of writability, and of traffic that is shaped. */
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

    @Nested
    @Nightly
    class TrafficShapingHandler extends TrafficShapingHandlerTest {
        /** One: a test sends slowly for seconds, and Netty gives it 10 s for all of them. */
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return super.newAllocators().subList(0, 1);
        }

        /** These two have hardly a second left of the ten where nothing else runs. */
        @Test
        @Override
        @Timeout(value = 1, unit = TimeUnit.MINUTES)
        public void testAutoReadTrafficShapping(TestInfo test) throws Throwable {
            super.testAutoReadTrafficShapping(test);
        }

        @Test
        @Override
        @Timeout(value = 1, unit = TimeUnit.MINUTES)
        public void testAutoReadGlobalTrafficShapping(TestInfo test) throws Throwable {
            super.testAutoReadGlobalTrafficShapping(test);
        }
    }
}
