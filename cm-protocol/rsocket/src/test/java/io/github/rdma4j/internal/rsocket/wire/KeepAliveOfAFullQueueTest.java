// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Nothing can be sent as a question: what is under way is one. */
class KeepAliveOfAFullQueueTest {
    private static final int QUEUE = 384;
    private static final int SMALL = 8;

    private final StreamMemory.Places places = Setup.USUAL.places();
    private final StreamMemory memory = new StreamMemory(
            ByteBuffer.allocateDirect(places.remoteBytes()),
            0,
            1,
            ByteBuffer.allocateDirect(places.localBytes()),
            places);
    private int posts;
    private long last;
    private final StreamEngine engine =
            new StreamEngine(memory, new Queues(QUEUE, QUEUE, false), this::post, NoGrowth.NONE);

    private void post(Wire.Post post) {
        posts++;
        last = post.signaled ? post.number : last;
    }

    /** The peer's machine goes before it has acknowledged credits, two offers and SHUTDOWN. */
    @Test
    void controlMessagesThatAreNotAcknowledgedAreAQuestion() throws RdmaException {
        engine.connected(engine.description());
        engine.sent(last);
        ByteBuffer into = ByteBuffer.allocate(places.receiveBytes());
        int half = places.receiveBytes() / 2;
        int many = QUEUE / 2;
        for (int i = 0; i < many; i++) {
            message(SMALL, into);
        }
        message(half - many * SMALL, into);
        message(half, into);
        engine.shutdownOutput();
        int before = posts;
        engine.keepAlive();
        assertThat(posts).as("no place for a question").isEqualTo(before);
        assertThat(engine.isAnswered()).isFalse();
        engine.sent(last);
        assertThat(engine.isAnswered()).isTrue();
    }

    private void message(int bytes, ByteBuffer into) throws RdmaException {
        engine.received(Message.of(Message.DATA, bytes), bytes);
        assertThat(engine.read(into.clear())).isEqualTo(bytes);
    }
}
