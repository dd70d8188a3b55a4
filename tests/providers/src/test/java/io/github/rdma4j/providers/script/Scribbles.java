// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Posts to rings in which every byte may be anything, and polls them: each request that was posted completes at most once. */
public final class Scribbles {
    private final Random random;

    /** How many completions a poll returns at most, whatever it is asked for. */
    private final int mostCompletions;

    /** Takes what the device has been told. */
    private final Runnable posted;

    private final List<ByteBuffer> memories = new ArrayList<>();
    private final Set<Long> waiting = new HashSet<>();
    private final List<Long> completed = new ArrayList<>();

    /** How much was posted to each of four queues. */
    private final int[] counts = new int[4];

    private long wrIds;

    public Scribbles(Random random, int mostCompletions, Runnable posted) {
        this.random = random;
        this.mostCompletions = mostCompletions;
        this.posted = posted;
    }

    /** From now on {@link #scribble} writes to {@code memory}, too. */
    public void add(ByteBuffer memory) {
        memories.add(memory);
    }

    /** The first memory that was added. */
    public ByteBuffer first() {
        return memories.get(0);
    }

    /** Near what a queue has posted last. */
    public int near(int queue) {
        return counts[queue] - random.nextInt(8);
    }

    public int queues() {
        return counts.length;
    }

    public int completed() {
        return completed.size();
    }

    public void scribble() {
        for (ByteBuffer memory : memories) {
            int at = random.nextInt(memory.capacity() / Long.BYTES) * Long.BYTES;
            int words = random.nextInt(Math.min(64, (memory.capacity() - at) / Long.BYTES) + 1);
            for (int i = 0; i < words; i++) {
                memory.putLong(at + i * Long.BYTES, random.nextLong());
            }
        }
    }

    public void postReceives(ReceiveRing ring, int queue) {
        while (!ring.isFull() && random.nextInt(4) > 0) {
            counts[queue]++;
            ring.put(PlayedRequest.receive(new String[] {"recv", "", next()}));
        }
    }

    public void postSends(QueueRings rings, int queue) {
        while (!rings.send().isFull() && random.nextInt(4) > 0) {
            counts[queue]++;
            String line = "send Q " + next() + " send s 0 0 0 0 0 - 0 0 0:10:45a";
            rings.send().put(PlayedRequest.send(line.split(" "), null));
            rings.send().publish();
        }
        posted.run();
    }

    private String next() {
        waiting.add(++wrIds);
        return Long.toString(wrIds);
    }

    public void poll(CompletionRing cq, int most) {
        Long[] places = new Long[most];
        Arrays.fill(places, 0L);
        int before = completed.size();
        int polled = cq.poll(places, new WrIds());
        assertThat(polled).isLessThanOrEqualTo(Math.min(most, mostCompletions)).isEqualTo(completed.size() - before);
        for (long wrId : completed.subList(before, completed.size())) {
            assertThat(waiting.remove(wrId))
                    .as("request %d was posted, and has not completed", wrId)
                    .isTrue();
        }
    }

    private final class WrIds implements CompletionSink<Long> {
        @Override
        public void setResult(Long place, long wrId, int status, int opcode, int qpNumber) {
            completed.add(wrId);
        }

        @Override
        public void setPayload(Long place, int byteLength, int immediateBe, int flags, int vendorError) {}

        @Override
        public void setSource(Long place, int sourceQp, long path) {}

        @Override
        public void copy(Long place, LongBuffer ring, int index) {
            throw new AssertionError("a completion of this device is no struct ib_uverbs_wc");
        }
    }
}
