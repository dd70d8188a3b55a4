// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.stress;

import io.github.rdma4j.verbs.WorkCompletion;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** A thread polls a completion queue that holds a completion, while another thread closes it and its ring becomes zeros. */
@JCStressTest
@Outcome(id = "1, 77", expect = Expect.ACCEPTABLE, desc = "polled before the close")
@Outcome(id = "-1, 0", expect = Expect.ACCEPTABLE, desc = "refused, because it was closed")
@Outcome(expect = Expect.FORBIDDEN, desc = "a completion that never was, or a completion lost without a word")
@State
public class QueueIsClosedWhilePolled {
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
