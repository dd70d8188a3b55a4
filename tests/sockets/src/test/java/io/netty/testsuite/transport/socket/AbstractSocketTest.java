// SPDX-License-Identifier: Apache-2.0
package io.netty.testsuite.transport.socket;

import io.github.rdma4j.it.netty.Allocators;
import io.github.rdma4j.it.netty.OnDevice;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.testsuite.transport.AbstractComboTestsuiteTest;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import java.net.SocketAddress;
import java.util.List;

/**
 * What Netty's tests with two ends extend, in the place of Netty's class of this name, which comes later on the class path: both ends
 * are on the RDMA device.
 */
public abstract class AbstractSocketTest extends AbstractComboTestsuiteTest<ServerBootstrap, Bootstrap> {
    @Override
    protected List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> newFactories() {
        return OnDevice.both();
    }

    @Override
    protected List<ByteBufAllocator> newAllocators() {
        return Allocators.ofThisRun();
    }

    @Override
    protected void configure(ServerBootstrap server, Bootstrap client, ByteBufAllocator allocator) {
        server.localAddress(newSocketAddress());
        server.option(ChannelOption.ALLOCATOR, allocator).childOption(ChannelOption.ALLOCATOR, allocator);
        client.option(ChannelOption.ALLOCATOR, allocator);
    }

    protected SocketAddress newSocketAddress() {
        return OnDevice.address();
    }
}
