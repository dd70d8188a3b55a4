// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;

/** Takes completions of one queue, by polling without a pause or by sleeping until there is one. For one thread. */
final class Completions {
    static final String DURING = "during the measurement";

    private static final int BATCH = 16;

    /** Empty polls, a millisecond or so, between two looks at the clock. */
    static final int LOOK = 1 << 16;

    /** How long a sleep may keep this side from seeing that the device goes. */
    static final Duration NAP = Duration.ofSeconds(1);

    private final TestBed bed;
    private final CompletionQueue cq;
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private final WorkCompletion[] one = WorkCompletion.array(1);

    /** Polls of {@link #poll()} that have found nothing, one after the other, and since when. */
    private long empty;

    private long emptySince;

    Completions(TestBed bed, CompletionQueue cq) {
        this.bed = bed;
        this.cq = cq;
    }

    /** Waits for one completion, which must be a success. */
    void awaitOne() throws RdmaException, InterruptedException {
        await(one);
    }

    /** As {@link #awaitOne()} until {@code period} is over; false when it is. */
    boolean awaitOne(Period period) throws RdmaException, InterruptedException {
        int polled = poll(one);
        while (polled == 0 && period.look()) {
            polled = poll(one);
        }
        return polled > 0;
    }

    /** Waits for completions, which must be successes; returns their number. */
    int await() throws RdmaException, InterruptedException {
        return await(batch);
    }

    /** Waits for one completion, which must be a success, and returns it. */
    WorkCompletion awaitFirst() throws RdmaException, InterruptedException {
        awaitOne();
        return one[0];
    }

    /** A completion of the last {@link #await()} or {@link #poll()}. */
    WorkCompletion taken(int index) {
        return batch[index];
    }

    /** Takes the completions that there are, which must be successes, without waiting; returns their number. */
    int poll() throws RdmaException, InterruptedException {
        return poll(batch);
    }

    private int poll(WorkCompletion[] into) throws RdmaException, InterruptedException {
        int polled = cq.poll(into);
        if (polled > 0) {
            empty = 0;
            requireSuccess(into, polled);
        } else if (++empty % LOOK == 0) {
            look();
        }
        return polled;
    }

    private void look() throws RdmaException, InterruptedException {
        if (empty == LOOK) {
            emptySince = System.nanoTime();
        }
        bed.requireHope(emptySince);
    }

    /** Asks for an event of the channel. */
    void requestEvent() throws RdmaException {
        cq.requestNotification(false);
    }

    private int await(WorkCompletion[] into) throws RdmaException, InterruptedException {
        // A removed device may go on to exchange messages for as long as somebody uses it, and is held up by that.
        bed.requireDevice();
        int polled = cq.poll(into);
        if (polled == 0) {
            polled = bed.options().events ? sleep(into) : spin(into);
        }
        requireSuccess(into, polled);
        return polled;
    }

    private static void requireSuccess(WorkCompletion[] completions, int count) throws RdmaException {
        for (int i = 0; i < count; i++) {
            if (!completions[i].isSuccess()) {
                throw PeerFailure.of(completions[i], DURING);
            }
        }
    }

    private int sleep(WorkCompletion[] into) throws RdmaException, InterruptedException {
        int polled = cq.await(into, NAP);
        if (polled > 0) {
            return polled;
        }
        long start = System.nanoTime();
        while (polled == 0) {
            bed.requireHope(start);
            polled = cq.await(into, NAP);
        }
        return polled;
    }

    private int spin(WorkCompletion[] into) throws RdmaException, InterruptedException {
        int polled = spinOnce(into);
        if (polled > 0) {
            return polled;
        }
        long start = System.nanoTime();
        while (polled == 0) {
            bed.requireHope(start);
            polled = spinOnce(into);
        }
        return polled;
    }

    private int spinOnce(WorkCompletion[] into) {
        int polled = 0;
        for (int empty = 0; polled == 0 && empty < LOOK; empty++) {
            polled = cq.poll(into);
        }
        return polled;
    }
}
