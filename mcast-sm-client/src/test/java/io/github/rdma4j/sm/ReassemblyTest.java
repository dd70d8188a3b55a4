// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.sm.Reassembly.Step;
import io.github.rdma4j.support.NewSeed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReassemblyTest {
    private static final int LIMIT = 1 << 20;

    private final Reassembly reassembly = new Reassembly(LIMIT);

    /** A MAD with {@code bytes} bytes of data that all differ from their neighbours. */
    private static ByteBuffer message(int bytes) {
        ByteBuffer whole = ByteBuffer.allocate(SaHeader.Layout.END + bytes);
        for (int i = 0; i < whole.limit(); i++) {
            whole.put(i, (byte) (i * 31 + i / 256));
        }
        return whole;
    }

    private Step take(ByteBuffer segment) {
        try {
            return reassembly.take(RmppHeader.decode(segment), segment);
        } catch (MalformedReplyException e) {
            throw new AssertionError(e);
        }
    }

    private static void same(@Nullable ByteBuffer received, ByteBuffer whole) {
        ByteBuffer message = Objects.requireNonNull(received);
        int headers = SaHeader.Layout.END;
        assertThat(message.limit()).isEqualTo(whole.limit());
        assertThat(message.slice(headers, message.limit() - headers))
                .isEqualTo(whole.slice(headers, whole.limit() - headers));
    }

    @Test
    void oneSegment() {
        for (int bytes : new int[] {0, 1, 56, 199, 200}) {
            ByteBuffer whole = message(bytes);
            Reassembly one = new Reassembly(LIMIT);
            ByteBuffer segment = Segments.of(whole).get(0);
            Step step = one.take(new RmppHeader(1, 1, 7, 0, 1, 20 + bytes), segment);
            same(step.message(), whole);
            assertThat(step.answer()).isEqualTo(RmppHeader.ack(1, 65));
        }
    }

    @Test
    void anyOrderWithDuplicates() {
        ByteBuffer whole = message(11_111);
        long first = NewSeed.of("ReassemblyTest, order");
        for (long seed = first; seed < first + 50; seed++) {
            List<ByteBuffer> segments = new ArrayList<>(Segments.of(whole));
            segments.addAll(segments.subList(3, 30));
            Collections.shuffle(segments, new Random(seed));
            Reassembly one = new Reassembly(LIMIT);
            @Nullable ByteBuffer message = null;
            int duplicates = 0;
            for (ByteBuffer segment : segments) {
                try {
                    Step step = one.take(RmppHeader.decode(segment), segment);
                    assertThat(step.failure()).isNull();
                    duplicates += step.duplicate() ? 1 : 0;
                    message = step.message() != null ? step.message() : message;
                } catch (MalformedReplyException e) {
                    throw new AssertionError(e);
                }
            }
            same(message, whole);
            assertThat(duplicates).isEqualTo(27);
        }
    }

    @Test
    void beyondTheWindowIsDropped() {
        ByteBuffer whole = message(200 * 100);
        List<ByteBuffer> segments = Segments.of(whole);
        take(segments.get(0));
        Step step = take(segments.get(65));
        assertThat(step.duplicate()).isTrue();
        assertThat(step.answer()).isNull();
        for (ByteBuffer segment : segments) {
            step = take(segment);
        }
        same(step.message(), whole);
    }

    @Test
    void tooLong() {
        Reassembly small = new Reassembly(1000);
        List<ByteBuffer> segments = Segments.of(message(100_000));
        Step announced = small.take(new RmppHeader(1, 1, 3, 0, 1, 100_000), segments.get(0));
        assertThat(announced.answer()).isEqualTo(RmppHeader.stop());
        assertThat(announced.failure()).contains("longer than 1000 bytes");

        Reassembly silent = new Reassembly(1000);
        assertThat(silent.take(new RmppHeader(1, 1, 3, 0, 1, 0), segments.get(0))
                        .failure())
                .isNull();
        for (int i = 2; i <= 4; i++) {
            assertThat(silent.take(new RmppHeader(1, 1, 1, 0, i, 0), segments.get(i - 1))
                            .failure())
                    .isNull();
        }
        Step fifth = silent.take(new RmppHeader(1, 1, 1, 0, 5, 0), segments.get(4));
        assertThat(fifth.answer()).isEqualTo(RmppHeader.stop());
    }

    @Test
    void protocolErrors() {
        ByteBuffer empty = message(0);
        refused(Segments.segment(empty, 1, 1, 0), RmppHeader.INCONSISTENT_FIRST);
        refused(Segments.segment(empty, 2, 3, 0), RmppHeader.INCONSISTENT_FIRST);
        refused(Segments.segment(empty, 0, 3, 0), RmppHeader.INCONSISTENT_FIRST);
        refused(Segments.segment(empty, -1, 1, 0), RmppHeader.INCONSISTENT_FIRST);
        refused(Segments.segment(empty, 1, 7, 19), RmppHeader.INCONSISTENT_LAST);
        refused(Segments.segment(empty, 1, 7, 221), RmppHeader.INCONSISTENT_LAST);
        refused(Segments.segment(empty, 1, 7, -1), RmppHeader.INCONSISTENT_LAST);
        refused(Segments.segment(empty, 1, 7, 220).limit(100).slice(), RmppHeader.INCONSISTENT_LAST);
        refused(Segments.segment(empty, 1, 3, 0).limit(255).slice(), RmppHeader.INCONSISTENT_LAST);
        refused(Segments.segment(empty, 1, 3, 0).put(24, (byte) 2), RmppHeader.UNSUPPORTED_VERSION);
        refused(Segments.segment(empty, 1, 3, 0).put(25, (byte) 9), RmppHeader.BAD_TYPE);
    }

    private static void refused(ByteBuffer segment, int status) {
        try {
            Step step = new Reassembly(LIMIT).take(RmppHeader.decode(segment), segment);
            assertThat(step.answer()).isEqualTo(RmppHeader.abort(status));
            assertThat(step.failure()).isNotNull();
        } catch (MalformedReplyException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aLastSegmentBeforeOthers() {
        List<ByteBuffer> segments = Segments.of(message(1000));
        take(segments.get(3));
        ByteBuffer early = Segments.segment(message(0), 2, 5, 20);
        assertThat(take(early).answer()).isEqualTo(RmppHeader.abort(RmppHeader.INCONSISTENT_LAST));
        Reassembly other = new Reassembly(LIMIT);
        other.take(new RmppHeader(1, 1, 5, 0, 2, 20), early);
        Step beyond = other.take(new RmppHeader(1, 1, 1, 0, 3, 0), segments.get(2));
        assertThat(beyond.answer()).isEqualTo(RmppHeader.abort(RmppHeader.INCONSISTENT_LAST));
    }

    @Test
    void theSenderEndsIt() {
        take(Segments.of(message(1000)).get(0));
        ByteBuffer mad = ByteBuffer.allocate(256);
        Step stop = reassembly.take(RmppHeader.stop(), mad);
        assertThat(stop.failure()).isEqualTo("the sender ended the transfer with RMPP status 1");
        assertThat(stop.answer()).isNull();
        assertThat(reassembly.take(RmppHeader.abort(118), mad).failure()).endsWith("118");
        Step ack = reassembly.take(RmppHeader.ack(1, 1), mad);
        assertThat(ack.answer()).isNull();
        assertThat(ack.failure()).isNull();
    }

    @Test
    void anyHeaders() {
        SplittableRandom random = new SplittableRandom(NewSeed.of("ReassemblyTest, headers"));
        ByteBuffer mad = message(200);
        int messages = 0;
        for (int i = 0; i < 2000; i++) {
            Reassembly one = new Reassembly(2000);
            for (int j = 0; j < 10; j++) {
                RmppHeader header = new RmppHeader(
                        1, random.nextInt(6), random.nextInt(8), 0, random.nextInt(-1, 5), random.nextInt(-1, 300));
                Step step = one.take(header, mad);
                messages += step.message() != null ? 1 : 0;
                if (step.failure() != null) {
                    break;
                }
            }
        }
        assertThat(messages).isPositive();
    }
}
