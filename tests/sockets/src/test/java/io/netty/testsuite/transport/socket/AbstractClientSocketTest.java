// SPDX-License-Identifier: Apache-2.0
package io.netty.testsuite.transport.socket;

import io.github.rdma4j.it.netty.Allocators;
import io.github.rdma4j.it.netty.OnDevice;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.testsuite.transport.AbstractTestsuiteTest;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import java.net.SocketAddress;
import java.util.List;

/** What Netty's tests of clients extend; as {@link AbstractSocketTest}. */
public abstract class AbstractClientSocketTest extends AbstractTestsuiteTest<Bootstrap> {
    @Override
    protected List<BootstrapFactory<Bootstrap>> newFactories() {
        return OnDevice.clients();
    }

    @Override
    protected List<ByteBufAllocator> newAllocators() {
        return Allocators.ofThisRun();
    }

    @Override
    protected void configure(Bootstrap client, ByteBufAllocator allocator) {
        client.option(ChannelOption.ALLOCATOR, allocator);
    }

    protected SocketAddress newSocketAddress() {
        return OnDevice.address();
    }
}
