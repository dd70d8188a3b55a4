// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Nightly;
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
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Netty's tests of what is read and written. */
@RequiresKernel
@NettySuite
class NettySuiteBytesKernelIT {
    @Nested
    class SocketEcho extends SocketEchoTest {}

    @Nested
    class SocketFixedLengthEcho extends SocketFixedLengthEchoTest {}

    @Nested
    class SocketStringEcho extends SocketStringEchoTest {}

    @Nested
    class SocketObjectEcho extends SocketObjectEchoTest {}

    @Nested
    class SocketSpdyEcho extends SocketSpdyEchoTest {}

    @Nested
    class SocketGatheringWrite extends SocketGatheringWriteTest {
        @Nightly
        @Test
        @Override
        public void testGatheringWriteBig(TestInfo testInfo) throws Throwable {
            super.testGatheringWriteBig(testInfo);
        }
    }

    @Nested
    class CompositeBufferGatheringWrite extends CompositeBufferGatheringWriteTest {}

    @Nested
    class SocketFileRegion extends SocketFileRegionTest {}

    @Nested
    class SocketBufRelease extends SocketBufReleaseTest {}

    @Nested
    class SocketCancelWrite extends SocketCancelWriteTest {}
}
