// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.WorkCompletion;
import java.time.Duration;

/** Takes completions of one queue, by busy polling or by sleeping until there is a completion. For one thread. */
final class Completions {
    static final String DURING = "during the measurement";

    private static final int BATCH = 16;

    /** The number of empty polls, about a millisecond, between two clock reads. */
    static final int LOOK = 1 << 16;

    /**
     * The number of empty polls between two yields, longer than a fast device takes for a message. A software device
     * works in kernel threads, which may wait for this processor and otherwise get it only after milliseconds.
     */
    static final int OFFER = 1 << 10;

    /** The longest sleep between checks for removal of the device. */
    static final Duration NAP = Duration.ofSeconds(1);

    private final TestBed bed;
    private final CompletionQueue cq;
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private final WorkCompletion[] one = WorkCompletion.array(1);

    /** The number of consecutive empty polls of {@link #poll()}, and the time of the first. */
    private long empty;

    private long emptySince;

    Completions(TestBed bed, CompletionQueue cq) {
        this.bed = bed;
        this.cq = cq;
    }

    /** Waits for one successful completion. */
    WorkCompletion awaitOne() throws RdmaException, InterruptedException {
        await(one);
        return one[0];
    }

    /** Like {@link #awaitOne()}, but only until {@code period} ends; then returns false. */
    boolean awaitOne(Period period) throws RdmaException, InterruptedException {
        int polled = poll(one);
        while (polled == 0 && period.look()) {
            polled = poll(one);
        }
        return polled > 0;
    }

    /** Waits for successful completions; returns their number. */
    int await() throws RdmaException, InterruptedException {
        return await(batch);
    }

    /** A completion of the last {@link #await()} or {@link #poll()}. */
    WorkCompletion taken(int index) {
        return batch[index];
    }

    /** Takes the available completions, which must be successful, without waiting; returns their number. */
    int poll() throws RdmaException, InterruptedException {
        return poll(batch);
    }

    private int poll(WorkCompletion[] into) throws RdmaException, InterruptedException {
        int polled = cq.poll(into);
        if (polled > 0) {
            empty = 0;
            requireSuccess(into, polled);
        } else {
            offer(++empty);
            if (empty == LOOK) {
                emptySince = System.nanoTime();
            }
            if (empty % LOOK == 0) {
                bed.requireHope(emptySince);
            }
        }
        return polled;
    }

    void requestEvent() throws RdmaException {
        cq.requestNotification(false);
    }

    private int await(WorkCompletion[] into) throws RdmaException, InterruptedException {
        // a removed device keeps working while a program uses it, and cannot disappear before
        bed.requireDevice();
        boolean sleep = bed.options.events;
        int polled = cq.poll(into);
        if (polled == 0) {
            polled = waitOnce(into, sleep);
        }
        if (polled == 0) {
            long start = System.nanoTime();
            while (polled == 0) {
                bed.requireHope(start);
                polled = waitOnce(into, sleep);
            }
        }
        requireSuccess(into, polled);
        return polled;
    }

    private int waitOnce(WorkCompletion[] into, boolean sleep) throws RdmaException, InterruptedException {
        if (sleep) {
            return cq.await(into, NAP);
        }
        int polled = 0;
        for (int look = 1; polled == 0 && look <= LOOK; look++) {
            polled = cq.poll(into);
            offer(look);
        }
        return polled;
    }

    /** Yields the processor after each {@link #OFFER} empty polls. */
    @SuppressWarnings("ThreadPriorityCheck") // a hint for the kernel, not a means of synchronization
    static void offer(long looks) {
        if (looks % OFFER == 0) {
            Thread.yield();
        }
    }

    private static void requireSuccess(WorkCompletion[] completions, int count) throws RdmaException {
        for (int i = 0; i < count; i++) {
            if (!completions[i].isSuccess()) {
                throw PeerFailure.of(completions[i], DURING);
            }
        }
    }
}
