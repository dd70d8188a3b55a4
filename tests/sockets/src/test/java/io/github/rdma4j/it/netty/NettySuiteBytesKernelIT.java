// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Nightly;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.socket.CompositeBufferGatheringWriteTest;
import io.netty.testsuite.transport.socket.SocketBufReleaseTest;
import io.netty.testsuite.transport.socket.SocketCancelWriteTest;
import io.netty.testsuite.transport.socket.SocketEchoTest;
import io.netty.testsuite.transport.socket.SocketFileRegionTest;
import io.netty.testsuite.transport.socket.SocketFixedLengthEchoTest;
import io.netty.testsuite.transport.socket.SocketGatheringWriteTest;
import io.netty.testsuite.transport.socket.SocketObjectEchoTest;
import io.netty.testsuite.transport.socket.SocketSpdyEchoTest;
import io.netty.testsuite.transport.socket.SocketStringEchoTest;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Netty's tests of what is read and written. */
@RequiresKernel
@NettySuite
class NettySuiteBytesKernelIT {
    @Nested
    class SocketEcho extends SocketEchoTest {
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
    class SocketFixedLengthEcho extends SocketFixedLengthEchoTest {
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
    class SocketStringEcho extends SocketStringEchoTest {
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
    class SocketObjectEcho extends SocketObjectEchoTest {
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
    class SocketSpdyEcho extends SocketSpdyEchoTest {
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
    class SocketGatheringWrite extends SocketGatheringWriteTest {
        @Nightly
        @Test
        @Override
        public void testGatheringWriteBig(TestInfo testInfo) throws Throwable {
            super.testGatheringWriteBig(testInfo);
        }

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
    class CompositeBufferGatheringWrite extends CompositeBufferGatheringWriteTest {
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
    class SocketFileRegion extends SocketFileRegionTest {
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
    class SocketBufRelease extends SocketBufReleaseTest {
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
    class SocketCancelWrite extends SocketCancelWriteTest {
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
