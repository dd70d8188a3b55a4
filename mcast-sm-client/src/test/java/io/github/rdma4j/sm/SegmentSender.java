// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;

/** The sender of an answer of several segments, which may lose, repeat or swap segments, never end, or give up. */
final class SegmentSender {
    private static final long PATIENCE_NANOS = 2_000_000_000L;
    private static final int RETRIES = 3;
    private static final int MOST_REPETITIONS = 3000;

    private enum Habit {
        HONEST,

        /** Repeats a segment before the client loses its patience, whatever the client says. */
        REPEATS,

        /** Gives up after some segments. */
        ABORTS
    }

    private final int lid;
    private final List<ByteBuffer> segments;
    private final long timeoutNanos;
    private final LyingManager manager;
    private final LyingPort port;
    private final VirtualClock clock;
    private final Random random;
    private final Habit habit;
    private int acked;
    private int window = 1;
    private int sent;
    private int retries;
    private int repetitions;
    private boolean over;

    /** What a sender shares with its manager. */
    record Surroundings(LyingPort port, VirtualClock clock, Random random) {}

    SegmentSender(int lid, ByteBuffer whole, long timeoutNanos, LyingManager manager, Surroundings around) {
        this.lid = lid;
        this.segments = Segments.of(whole);
        this.timeoutNanos = timeoutNanos;
        this.manager = manager;
        this.port = around.port;
        this.clock = around.clock;
        this.random = around.random;
        if (manager.happens(1)) {
            habit = Habit.REPEATS;
        } else {
            habit = manager.happens(3) ? Habit.ABORTS : Habit.HONEST;
        }
    }

    int lid() {
        return lid;
    }

    void start() {
        if (habit == Habit.REPEATS) {
            repeat();
        } else if (habit == Habit.ABORTS && random.nextBoolean()) {
            clock.later(manager.delay(timeoutNanos), this::giveUp);
        } else {
            sendWindow();
        }
    }

    private void repeat() {
        if (over || repetitions++ > MOST_REPETITIONS) {
            return;
        }
        port.deliverLater(lid, segments.get(random.nextInt(acked + 1)), 0);
        clock.later(timeoutNanos, this::repeat);
    }

    private void sendWindow() {
        while (!over && sent < Math.min(window, segments.size())) {
            deliver(sent++);
        }
        int before = acked;
        int tries = ++retries;
        clock.later(PATIENCE_NANOS, () -> {
            if (!over && acked == before && tries == retries) {
                if (tries > RETRIES) {
                    giveUp();
                } else {
                    sent = acked;
                    sendWindow();
                }
            }
        });
    }

    private void deliver(int index) {
        if (manager.happens(1)) {
            return;
        }
        for (int copies = manager.happens(1) ? 2 : 1; copies > 0; copies--) {
            port.deliverLater(lid, segments.get(index), manager.happens(2) ? random.nextInt(5_000_000) : sent);
        }
    }

    private void giveUp() {
        over = true;
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES).put(0, segments.get(0), 0, 56);
        (random.nextBoolean() ? RmppHeader.stop() : RmppHeader.abort(RmppHeader.TOTAL_TIME_TOO_LONG)).encode(mad);
        manager.ended.add((int) mad.getLong(MadHeader.Layout.TRANSACTION_ID));
        port.deliverLater(lid, mad, manager.delay(timeoutNanos));
    }

    void acknowledged(RmppHeader rmpp) {
        if (rmpp.type() != RmppHeader.ACK) {
            over = true; // the client has ended the transfer
        } else if (!over && rmpp.segment() > acked && habit != Habit.REPEATS) {
            acked = rmpp.segment();
            window = rmpp.length();
            retries = 0;
            if (acked == segments.size()) {
                over = true;
            } else if (habit == Habit.ABORTS && random.nextBoolean()) {
                giveUp();
            } else {
                sendWindow();
            }
        }
    }
}
