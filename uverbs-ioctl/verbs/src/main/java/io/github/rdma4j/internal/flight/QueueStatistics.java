// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import org.jspecify.annotations.Nullable;

/** Counters for the lifetime of a queue. */
public final class QueueStatistics {
    private final Flight.Queue span;
    private final QueueCounters counters = new QueueCounters();

    private QueueStatistics(Flight.Queue span) {
        this.span = span;
    }

    /** Begins to count; null if nothing is recorded. Queues created before the recording began are not counted. */
    public static @Nullable QueueStatistics begin() {
        Flight.Queue span = Flight.queue();
        return span == null ? null : new QueueStatistics(span);
    }

    /** The counters of {@code statistics}; null if nothing is recorded. */
    public static @Nullable QueueCounters counters(@Nullable QueueStatistics statistics) {
        return statistics == null ? null : statistics.counters;
    }

    /** Records the counters of a queue that is closed. */
    public static void end(@Nullable QueueStatistics statistics, String kind, String device, int number) {
        if (statistics != null) {
            statistics.span.end(kind, device, number, statistics.counters);
        }
    }

    /** Counts operations of a queue under the queue's locks. Each counter is written under one lock only. */
    public static final class QueueCounters {
        long sends;
        long sendCalls;
        long receives;
        long polls;
        long emptyPolls;
        long completions;

        /** A call that posted {@code count} send requests, with one doorbell. */
        public void sent(int count) {
            sends += count;
            sendCalls++;
        }

        /** A call that posted a receive request. */
        public void received() {
            receives++;
        }

        /** A poll that took {@code count} completions. */
        public void polled(int count) {
            polls++;
            completions += count;
            if (count == 0) {
                emptyPolls++;
            }
        }
    }
}
