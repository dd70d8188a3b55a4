// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** Channels that are closed while they connect. The class fails if queues or descriptors are left. */
@RequiresKernel
class NioCancelKernelIT {
    private static final int TIMES = 200;

    @Test
    void aChannelThatIsClosedAtAnyMomentOfItsConnectLeavesNothing() throws Exception {
        try (ServerSocketChannel listener = OverRdma.PROVIDER.openServerSocketChannel()) {
            listener.bind(new InetSocketAddress(Rxe.IPV4, 0), TIMES);
            for (int i = 0; i < TIMES; i++) {
                SocketChannel channel = OverRdma.PROVIDER.openSocketChannel();
                channel.configureBlocking(false);
                assertThat(channel.connect(listener.getLocalAddress())).isFalse();
                long end = System.nanoTime() + i * 10_000L;
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                channel.close();
                assertThat(channel.isOpen()).isFalse();
            }
        }
    }
}
