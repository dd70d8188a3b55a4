// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.socket.SocketAddressesTest;
import io.netty.testsuite.transport.socket.SocketCloseForciblyTest;
import io.netty.testsuite.transport.socket.SocketConnectTest;
import io.netty.testsuite.transport.socket.SocketHalfClosedTest;
import io.netty.testsuite.transport.socket.SocketMultipleConnectTest;
import io.netty.testsuite.transport.socket.SocketRstTest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Netty's tests of connecting, of half a connection, and of its end. */
@RequiresKernel
@NettySuite
class NettySuiteStatesKernelIT {
    @Nested
    class SocketHalfClosed extends SocketHalfClosedTest {
        /** Reads bytes one by one, for all of which Netty allows 20 s: too little on a busy machine that emulates the guest. */
        @Test
        @Override
        @Timeout(value = 2, unit = TimeUnit.MINUTES)
        public void testAllDataReadClosure(TestInfo test) throws Throwable {
            super.testAllDataReadClosure(test);
        }

        /** As {@link #testAllDataReadClosure}. */
        @Test
        @Override
        @Timeout(value = 2, unit = TimeUnit.MINUTES)
        public void testAllDataReadAfterHalfClosure(TestInfo test) throws Throwable {
            super.testAllDataReadAfterHalfClosure(test);
        }
    }

    @Nested
    class SocketRst extends SocketRstTest {}

    @Nested
    class SocketMultipleConnect extends SocketMultipleConnectTest {
        /** Netty's class leaves out a transport. */
        @Override
        protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
            return OnDevice.both();
        }
    }

    @Nested
    class SocketConnect extends SocketConnectTest {}

    @Nested
    class SocketCloseForcibly extends SocketCloseForciblyTest {}

    @Nested
    class SocketAddresses extends SocketAddressesTest {
        @Override
        protected void assertAddress(SocketAddress address) {
            assertThat(((InetSocketAddress) address).getAddress().getHostAddress())
                    .isEqualTo(Rxe.IPV4);
            assertThat(((InetSocketAddress) address).getPort()).isPositive();
        }
    }
}
