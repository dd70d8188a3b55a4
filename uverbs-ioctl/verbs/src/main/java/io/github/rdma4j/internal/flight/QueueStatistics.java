// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import org.jspecify.annotations.Nullable;

/** The counters of a queue for as long as it lives. */
public final class QueueStatistics {
    private final Spans.Queue span;
    private final QueueCounters counters = new QueueCounters();

    private QueueStatistics(Spans.Queue span) {
        this.span = span;
    }

    /**
     * Begins to count; null if nothing is recorded. A queue that was made before the recording began is not counted.
     */
    public static @Nullable QueueStatistics begin() {
        Spans.Queue span = Flight.queue();
        return span == null ? null : new QueueStatistics(span);
    }

    /** Where to count; null if nothing is recorded. */
    public static @Nullable QueueCounters counters(@Nullable QueueStatistics statistics) {
        return statistics == null ? null : statistics.counters;
    }

    /** Records the counters of a queue that is closed. */
    public static void end(@Nullable QueueStatistics statistics, String kind, String device, int number) {
        if (statistics != null) {
            statistics.span.end(kind, device, number, statistics.counters);
        }
    }
}
