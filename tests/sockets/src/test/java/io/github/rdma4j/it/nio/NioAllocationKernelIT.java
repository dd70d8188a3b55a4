// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.LeastAllocation;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** What channels and selectors allocate. */
@RequiresKernel
class NioAllocationKernelIT {
    /** An end of a connection with a selector. */
    private record End(SocketChannel channel, Selector selector, ByteBuffer bytes) implements AutoCloseable {
        static End of(SocketChannel channel) throws IOException {
            Selector selector = OverRdma.PROVIDER.openSelector();
            channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            return new End(channel, selector, ByteBuffer.allocateDirect(64));
        }

        void write() throws IOException {
            bytes.clear();
            while (bytes.hasRemaining()) {
                if (channel.write(bytes) < 0) {
                    throw new AssertionError("a write returned less than zero");
                }
            }
        }

        void read() throws IOException {
            bytes.clear();
            while (bytes.hasRemaining()) {
                if (selector.select() != 1) {
                    throw new ClosedSelectorException();
                }
                selector.selectedKeys().clear();
                if (channel.read(bytes) < 0) {
                    throw new AssertionError("the end of the stream");
                }
            }
        }

        @Override
        public void close() throws IOException {
            selector.close();
            channel.close();
        }
    }

    @Test
    void selectingReadingAndWritingAllocateNothing() throws Exception {
        try (ServerSocketChannel listener = OverRdma.PROVIDER.openServerSocketChannel();
                SocketChannel channel = OverRdma.PROVIDER.openSocketChannel()) {
            listener.bind(new InetSocketAddress(OverRdma.HOST, 0));
            assertThat(channel.connect(listener.getLocalAddress())).isTrue();
            try (End client = End.of(channel);
                    End server = End.of(listener.accept())) {
                LeastAllocation allocation = new LeastAllocation();
                Await.Running<Void> echo = Await.inThread(() -> {
                    boolean goesOn = true;
                    while (goesOn) {
                        server.read();
                        goesOn = allocation.goesOn();
                        server.write();
                    }
                    return null;
                });
                while (!allocation.isOver()) {
                    client.write();
                    client.read();
                }
                assertThat(allocation.bytes())
                        .as(
                                "bytes of %s rounds, the least of %s series",
                                LeastAllocation.ROUNDS, LeastAllocation.SERIES)
                        .isZero();
                echo.result();
            }
        }
    }
}
