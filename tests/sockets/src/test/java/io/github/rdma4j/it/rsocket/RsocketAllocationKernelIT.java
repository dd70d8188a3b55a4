// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.LeastAllocation;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and writes of streams cost no memory, whether they find bytes or wait for them. */
@RequiresKernel
class RsocketAllocationKernelIT {
    private static final int BYTES = 64;

    private static void write(RsocketChannel channel, ByteBuffer bytes) throws IOException {
        bytes.clear();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static void read(RsocketChannel channel, ByteBuffer bytes) throws IOException {
        bytes.clear();
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new AssertionError("the end");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 5000})
    void readsAndWritesThatNeedNotWait(int length) throws Exception {
        try (RsocketListener listener = RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0));
                RsocketChannel client =
                        RsocketChannel.connect(listener.localAddress()).configureBlocking(false);
                RsocketChannel server =
                        listener.accept(Await.LIMIT).orElseThrow().configureBlocking(false)) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(length);
            LeastAllocation allocation = new LeastAllocation();
            do {
                write(client, bytes);
                read(server, bytes);
                write(server, bytes);
                read(client, bytes);
            } while (allocation.goesOn());
            assertThat(allocation.bytes()).isZero();
        }
    }

    /** The other process, whose waits do not meet those of this one: sends back what comes. */
    static final class Echo {
        private Echo() {}

        public static void main(String[] port) throws Exception {
            InetSocketAddress server = new InetSocketAddress(Rxe.IPV4, Integer.parseInt(port[0]));
            try (RsocketChannel channel = RsocketChannel.connect(server)) {
                ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
                while (channel.read(bytes.clear()) >= 0) {
                    channel.write(bytes.flip());
                }
            }
        }
    }

    @Test
    void aReadThatWaits() throws Exception {
        try (RsocketListener listener = RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0));
                Program peer = Program.start(Program.java(
                        Echo.class, Integer.toString(listener.localAddress().getPort())));
                RsocketChannel channel = listener.accept(Await.LIMIT).orElseThrow()) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
            LeastAllocation allocation = new LeastAllocation();
            do {
                write(channel, bytes);
                read(channel, bytes);
            } while (allocation.goesOn());
            assertThat(allocation.bytes()).isZero();
            channel.shutdownOutput();
            peer.success();
        }
    }
}
