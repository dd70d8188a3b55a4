// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress;

import io.github.rdma4j.verbs.WorkCompletion;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of two threads at the rings of completion queues and queue pairs. */
public final class RingStress {
    private RingStress() {}

    /** The kernel writes a completion while a thread polls. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "polled before the completion")
    @Outcome(id = "1, 77", expect = Expect.ACCEPTABLE, desc = "polled the completion")
    @Outcome(expect = Expect.FORBIDDEN, desc = "saw the index before the entry")
    @State
    public static class CompletionIsSeenWhole {
        private final Device.Completions queue = Device.completions();
        private final WorkCompletion[] into = WorkCompletion.array(1);

        @Actor
        public void kernel() {
            queue.ring().complete(77);
        }

        @Actor
        public void poller(IJ_Result result) {
            result.r1 = queue.cq().poll(into);
            result.r2 = into[0].wrId();
        }

        @Arbiter
        public void end() {
            Device.close(queue.cq());
        }
    }

    /**
     * A thread polls a completion queue that holds a completion, while another thread closes it and its ring becomes
     * zeros.
     */
    @JCStressTest
    @Outcome(id = "1, 77", expect = Expect.ACCEPTABLE, desc = "polled before the close")
    @Outcome(id = "-1, 0", expect = Expect.ACCEPTABLE, desc = "refused, because it was closed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a completion that never was, or a completion lost without a word")
    @State
    public static class QueueIsClosedWhilePolled {
        private final Device.Completions queue = Device.completions();
        private final WorkCompletion[] into = WorkCompletion.array(1);

        public QueueIsClosedWhilePolled() {
            queue.ring().complete(77);
        }

        @Actor
        public void poller(IJ_Result result) {
            try {
                result.r1 = queue.cq().poll(into);
                result.r2 = into[0].wrId();
            } catch (IllegalStateException closed) {
                result.r1 = -1;
            }
        }

        @Actor
        public void closer() {
            Device.close(queue.cq());
        }
    }

    /**
     * A thread posts to a queue pair that another thread closes: no exception but the refusal, and the close succeeds.
     */
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "posted before the close")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "refused, because it was closed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "not closed")
    @State
    public static class QueueIsClosedWhilePosting {
        private final Device.Sends sends = Device.sends();

        @Actor
        public void poster(ZZ_Result result) {
            result.r1 = Device.post(sends.qp(), 1);
        }

        @Actor
        public void closer(ZZ_Result result) {
            Device.close(sends.qp());
            result.r2 = true;
        }
    }

    /**
     * Two threads post to a queue pair. The numbers are the producer index, and the sum of the ids of both work
     * requests.
     */
    @JCStressTest
    @Outcome(id = "2, 3", expect = Expect.ACCEPTABLE, desc = "both requests are in the ring")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a request was lost or overwritten")
    @State
    public static class TwoThreadsPost {
        private final Device.Sends sends = Device.sends();

        @Actor
        public void first() {
            Device.post(sends.qp(), 1);
        }

        @Actor
        public void second() {
            Device.post(sends.qp(), 2);
        }

        @Arbiter
        public void end(IJ_Result result) {
            result.r1 = sends.ring().producer();
            result.r2 = sends.ring().wrId(0) + sends.ring().wrId(1);
            Device.close(sends.qp());
        }
    }
}
