// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.support.Closing;
import io.github.rdma4j.support.Nightly;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Connects of one thread, all of which are under way before the first is established. */
@RequiresKernel
class NioManyConnectsKernelIT extends Closing {
    private static final int CONNECTS = 1_000;

    private final ByteBuffer bytes = ByteBuffer.allocate(16);

    /** The clients that have read what they wrote. */
    private final BitSet answered = new BitSet();

    @Nightly
    @Test
    void aThousandAtATimeAreEstablishedAndEachIsEchoed() throws Exception {
        Selector selector = closing(OverRdma.PROVIDER.openSelector());
        ServerSocketChannel listener = closing(OverRdma.PROVIDER.openServerSocketChannel());
        listener.bind(new InetSocketAddress(OverRdma.HOST, 0), CONNECTS);
        listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
        SocketAddress at = listener.getLocalAddress();
        for (int i = 0; i < CONNECTS; i++) {
            SocketChannel client = closing(OverRdma.PROVIDER.openSocketChannel());
            client.configureBlocking(false);
            boolean unused = client.connect(at);
            client.register(selector, SelectionKey.OP_CONNECT, i);
        }
        while (answered.cardinality() < CONNECTS) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                serve(key, selector);
            }
            selector.selectedKeys().clear();
        }
    }

    private void serve(SelectionKey key, Selector selector) throws IOException {
        if (key.isAcceptable()) {
            accept((ServerSocketChannel) key.channel(), selector);
        } else if (key.isConnectable()) {
            assertThat(((SocketChannel) key.channel()).finishConnect()).isTrue();
            key.interestOps(SelectionKey.OP_READ);
            write(key, ByteBuffer.wrap(new byte[] {own(key)}));
        } else {
            bytes.clear();
            assertThat(((SocketChannel) key.channel()).read(bytes)).isEqualTo(1);
            if (key.attachment() == null) {
                write(key, bytes.flip());
            } else {
                assertThat(bytes.get(0)).isEqualTo(own(key));
                answered.set((Integer) key.attachment());
            }
        }
    }

    private void accept(ServerSocketChannel listener, Selector selector) throws IOException {
        for (SocketChannel next = listener.accept(); next != null; next = listener.accept()) {
            closing(next).configureBlocking(false).register(selector, SelectionKey.OP_READ);
        }
    }

    private static byte own(SelectionKey key) {
        int number = (Integer) key.attachment();
        return (byte) (31 * number + (number >> 8));
    }

    private static void write(SelectionKey key, ByteBuffer from) throws IOException {
        assertThat(((SocketChannel) key.channel()).write(from)).isEqualTo(1);
    }
}
