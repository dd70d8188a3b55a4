// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.providers.script.RandomVerbs.Sent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a random script knows of its queues. */
final class RandomQueues {
    private RandomQueues() {}

    /** An entry of a completion queue that nobody has polled. */
    static final class Entry {
        final Pair of;

        /** The completions that polls find in it. */
        private int left;

        /** Whether a poll must look further before the entry is done with. */
        private final boolean trails;

        /** {@code completions} may be 0: a page fault, for example, or an entry of a queue pair that is gone. */
        Entry(Pair of, int completions, boolean trails) {
            this.of = of;
            this.left = completions;
            this.trails = trails;
        }
    }

    /** A completion queue of {@code most} entries. */
    static final class Cq {
        final String name;
        final Deque<Entry> entries = new ArrayDeque<>();
        int most;

        Cq(String name, int most) {
            this.name = name;
            this.most = most;
        }

        boolean isFull() {
            return entries.size() >= most;
        }

        /** Whether there is an entry of {@code pair}. */
        boolean has(Pair pair) {
            return entries.stream().anyMatch(entry -> entry.of == pair);
        }

        /** Polls find so many completions more in the last entry. */
        void repeat(int times) {
            entries.getLast().left += times;
        }

        /** The entries of a queue pair that goes leave the queue, or polls pass over them. */
        void forget(Pair pair, boolean sweeps) {
            if (sweeps) {
                entries.removeIf(entry -> entry.of == pair);
                return;
            }
            entries.stream().filter(entry -> entry.of == pair).forEach(entry -> entry.left = 0);
        }

        /** Takes what a poll for at most {@code limit} completions takes; an entry may stay that is done with. */
        void poll(int limit) {
            int room = limit;
            while (room > 0 && !entries.isEmpty()) {
                Entry entry = entries.getFirst();
                int taken = Math.min(room, entry.left);
                boolean done = taken == entry.left && (taken < room || (taken > 0 && !entry.trails));
                entry.left -= taken;
                room -= taken;
                if (!done) {
                    return;
                }
                entries.remove();
            }
        }
    }

    /** A shared receive queue. */
    static final class Srq {
        final String name;
        final int sge;
        final List<Integer> taken = new ArrayList<>();
        final @Nullable Cq cq;
        int posted;

        /** {@code cq} is that of a queue of XRC. */
        Srq(String name, int sge, @Nullable Cq cq) {
            this.name = name;
            this.sge = sge;
            this.cq = cq;
        }
    }

    /** What the work requests of a queue pair may have. */
    record Capacities(int sendSge, int receiveSge, int inline) {}

    /** A queue pair. */
    static final class Pair {
        final String name;
        final String type;
        final Cq sendCq;
        final Cq receiveCq;
        final @Nullable Srq srq;
        final Deque<Sent> sent = new ArrayDeque<>();
        Capacities capacities = new Capacities(0, 0, 0);
        int received;
        int posted;

        Pair(String name, String type, Cq sendCq, Cq receiveCq, @Nullable Srq srq) {
            this.name = name;
            this.type = type;
            this.sendCq = sendCq;
            this.receiveCq = receiveCq;
            this.srq = srq;
        }
    }
}
