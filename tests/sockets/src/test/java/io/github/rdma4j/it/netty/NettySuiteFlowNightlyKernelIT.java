// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Nightly;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.socket.TrafficShapingHandlerTest;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** The tests of {@link NettySuiteFlowKernelIT} with all allocators, and of traffic that is shaped. */
@Nightly
@RequiresKernel
@NettySuite
class NettySuiteFlowNightlyKernelIT extends NettySuiteFlowKernelIT {
    /** Only here: the end of the class shuts down executors of Netty's class, which has them for one run in a JVM. */
    @Nested
    class TrafficShapingHandler extends TrafficShapingHandlerTest {
        /** One: a test sends slowly for seconds, and Netty gives it 10 s for all of them. */
        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return super.newAllocators().subList(0, 1);
        }
    }
}
