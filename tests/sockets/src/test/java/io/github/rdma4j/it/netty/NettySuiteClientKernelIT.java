// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import io.netty.testsuite.transport.socket.AbstractSocketShutdownOutputByPeerTest;
import io.netty.testsuite.transport.socket.SocketChannelNotYetConnectedTest;
import io.netty.testsuite.transport.socket.SocketConnectionAttemptTest;
import io.netty.testsuite.transport.socket.WriteBeforeRegisteredTest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Netty's tests that have a channel at one end only. */
@RequiresKernel
@NettySuite
class NettySuiteClientKernelIT {
    static {
        // An address of the device's network that nobody has.
        System.setProperty("io.netty.testsuite.badHost", Rxe.SILENT);
    }

    @Nested
    class SocketChannelNotYetConnected extends SocketChannelNotYetConnectedTest {
        @Override
        @Test
        @Disabled("its server is a channel of NIO over TCP")
        public void readMustBePendingUntilChannelIsActive(TestInfo info) {}
    }

    @Nested
    class SocketConnectionAttempt extends SocketConnectionAttemptTest {}

    @Nested
    class WriteBeforeRegistered extends WriteBeforeRegisteredTest {}

    @Nested
    class ShutdownOutputByPeer extends AbstractSocketShutdownOutputByPeerTest<PlainStream> {
        @Override
        protected List<BootstrapFactory<ServerBootstrap>> newFactories() {
            return OnDevice.servers();
        }

        @Override
        protected List<ByteBufAllocator> newAllocators() {
            return Allocators.ofThisRun();
        }

        @Override
        protected PlainStream newSocket() {
            return new PlainStream();
        }

        @Override
        protected void connect(PlainStream peer, SocketAddress address) throws IOException {
            peer.connect((InetSocketAddress) address);
        }

        @Override
        protected void write(PlainStream peer, int data) throws IOException {
            peer.write(data);
        }

        @Override
        protected void shutdownOutput(PlainStream peer) throws IOException {
            peer.shutdownOutput();
        }

        @Override
        protected void close(PlainStream peer) throws IOException {
            peer.close();
        }
    }
}
