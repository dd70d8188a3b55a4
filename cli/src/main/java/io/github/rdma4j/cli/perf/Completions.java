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
    private static final Duration NAP = Duration.ofSeconds(1);

    private final TestLink link;
    private final CompletionQueue cq;
    private final WorkCompletion[] batch = WorkCompletion.array(BATCH);
    private final WorkCompletion[] one = WorkCompletion.array(1);

    Completions(TestLink link, CompletionQueue cq) {
        this.link = link;
        this.cq = cq;
    }

    /** Waits for one completion, which must be a success. */
    void awaitOne() throws RdmaException, InterruptedException {
        await(one);
    }

    /** Waits for completions, which must be successes; returns their number. */
    int await() throws RdmaException, InterruptedException {
        return await(batch);
    }

    /** A completion of the last {@link #await()}. */
    WorkCompletion taken(int index) {
        return batch[index];
    }

    private int await(WorkCompletion[] into) throws RdmaException, InterruptedException {
        // A removed device may go on to exchange messages for as long as somebody uses it, and is held up by that.
        link.requireDevice();
        int polled = cq.poll(into);
        if (polled == 0) {
            polled = link.options().events() ? sleep(into) : spin(into);
        }
        for (int i = 0; i < polled; i++) {
            if (!into[i].isSuccess()) {
                throw PeerTrouble.of(into[i], DURING);
            }
        }
        return polled;
    }

    private int sleep(WorkCompletion[] into) throws RdmaException, InterruptedException {
        int polled = cq.await(into, NAP);
        if (polled > 0) {
            return polled;
        }
        long start = System.nanoTime();
        while (polled == 0) {
            link.requireHope(start);
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
            link.requireHope(start);
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
