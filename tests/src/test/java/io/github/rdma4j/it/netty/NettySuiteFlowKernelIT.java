// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.socket.SocketAutoReadTest;
import io.netty.testsuite.transport.socket.SocketConditionalWritabilityTest;
import io.netty.testsuite.transport.socket.SocketDataReadInitialStateTest;
import io.netty.testsuite.transport.socket.SocketExceptionHandlingTest;
import io.netty.testsuite.transport.socket.SocketReadPendingTest;
import io.netty.testsuite.transport.socket.TrafficShapingHandlerTest;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** Netty's tests of reads that are asked for, of writability, and of traffic that is shaped. */
@RequiresKernel
@NettySuite
class NettySuiteFlowKernelIT {
    @Nested
    class SocketAutoRead extends SocketAutoReadTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return OnDevice.both();
        }

        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return Allocators.ofThisRun();
        }
    }

    @Nested
    class SocketReadPending extends SocketReadPendingTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return OnDevice.both();
        }

        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return Allocators.ofThisRun();
        }
    }

    @Nested
    class SocketConditionalWritability extends SocketConditionalWritabilityTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return OnDevice.both();
        }

        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return Allocators.ofThisRun();
        }
    }

    @Nested
    class SocketDataReadInitialState extends SocketDataReadInitialStateTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return OnDevice.both();
        }

        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return Allocators.ofThisRun();
        }
    }

    @Nested
    class SocketExceptionHandling extends SocketExceptionHandlingTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return OnDevice.both();
        }

        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return Allocators.ofThisRun();
        }
    }

    @Nested
    class TrafficShapingHandler extends TrafficShapingHandlerTest {
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return OnDevice.both();
        }

        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return Allocators.ofThisRun();
        }
    }
}
