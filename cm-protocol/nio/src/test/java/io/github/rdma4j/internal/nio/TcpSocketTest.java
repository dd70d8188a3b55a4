// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TcpSocketTest {
    /** More calls than the pool has places: if each kept a block, the pool would be empty. */
    @Test
    void callsOnAClosedSocketAreRefusedAndTheirMemoryGoesBackToThePool() throws IOException {
        TcpSocket closed = TcpSocket.open(SocketFamily.INET);
        closed.close();
        ByteBuffer[] buffers = {ByteBuffer.allocate(1)};
        List<ThrowingCallable> calls = List.of(
                () -> closed.listen(1),
                closed::localAddress,
                closed::available,
                () -> closed.receive(buffers, 0, 1),
                () -> closed.send(buffers, 0, 1),
                () -> closed.receive(buffers[0]),
                () -> closed.send(buffers[0]),
                () -> closed.sendUrgent((byte) 1));
        Block known = Block.take();
        known.giveBack();
        for (ThrowingCallable call : calls) {
            for (int i = 0; i < 100; i++) {
                assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(call);
            }
            List<Block> idle = Stream.generate(Block::take).limit(64).toList();
            idle.forEach(Block::giveBack);
            assertThat(idle).contains(known);
        }
        assertThat(buffers[0].hasRemaining()).isTrue();
    }

    @Test
    void theNumberOfAQueueOfANetworkCardIsNoOption() throws IOException {
        SocketOption<Integer> queue = ExtendedSocketOptions.SO_INCOMING_NAPI_ID;
        try (SocketChannel channel = new StreamProvider(Rules.parse("a test"), null).openSocketChannel()) {
            assertThat(channel.supportedOptions()).doesNotContain(queue);
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> channel.getOption(queue))
                    .withMessage("'SO_INCOMING_NAPI_ID' not supported");
        }
    }
}
