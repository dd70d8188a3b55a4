// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.rdma4j.kernel.RdmaException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A million writes of random sizes, read by the peer, allocate nothing. */
class AllocationTest {
    private static final int SERIES = 20;
    private static final int WRITES = 50_000;

    /** One side whose writes reach the other at once; their completions wait. */
    private static final class End implements Wire {
        final StreamMemory memory;
        final StreamEngine engine;
        private End peer = this;
        private long number;

        private final int[] messages = new int[4096];
        private final int[] lengths = new int[messages.length];
        private int first;
        private int count;

        End() {
            StreamMemory.Places places = Setup.USUAL.windows(1).places();
            ByteBuffer remote = ByteBuffer.allocateDirect(places.remoteBytes());
            ByteBuffer local = ByteBuffer.allocateDirect(places.localBytes());
            memory = new StreamMemory(remote, 0, 1, local, places);
            engine = new StreamEngine(memory, new Queues(384, 384, false), this, NoGrowth.NONE);
        }

        @Override
        public void post(Post post) {
            if (post.length > 0) {
                int at = Math.toIntExact(post.remoteAddress);
                peer.memory.remote().put(at, memory.local(), post.offset, post.length);
            }
            if (post.hasMessage) {
                int last = (peer.first + peer.count) % peer.messages.length;
                peer.messages[last] = post.message;
                peer.lengths[last] = post.length;
                peer.count++;
            }
            number = post.signaled ? post.number : number;
        }

        void progress() throws RdmaException {
            for (; count > 0; count--) {
                engine.received(messages[first], lengths[first]);
                first = (first + 1) % messages.length;
            }
            engine.sent(number);
            engine.proceed();
        }
    }

    private final End one = new End();
    private final End other = new End();
    private final Random random = new Random(23);
    private final ByteBuffer source = ByteBuffer.allocateDirect(100_000);
    private final ByteBuffer sink = ByteBuffer.allocateDirect(100_000);
    private long written;
    private long read;

    private void series() throws RdmaException {
        for (int i = 0; i < WRITES; i++) {
            int size = random.nextInt(500) == 0 ? 1 + random.nextInt(100_000) : 1 + random.nextInt(600);
            source.clear().limit(size);
            for (int turns = 0; source.hasRemaining(); turns++) {
                Side.check(turns < 1_000, "the stream goes on");
                written += one.engine.write(source);
                other.progress();
                sink.clear().limit(1 + random.nextInt(2_000));
                other.engine.peek(sink);
                sink.flip().limit(sink.capacity());
                read += other.engine.read(sink);
                one.progress();
            }
            source.clear().limit(8);
            one.engine.writeAt(0, source);
        }
    }

    @Test
    void writesOfAnySizeAllocateNothing() throws RdmaException {
        one.peer = other;
        other.peer = one;
        one.engine.connected(other.engine.description());
        other.engine.connected(one.engine.description());
        other.engine.map(0, other.memory.targets());
        one.progress();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < SERIES && least > 0; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            series();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("bytes allocated by %d writes", WRITES).isZero();
        assertThat(read).isEqualTo(written - other.engine.available());
    }
}
