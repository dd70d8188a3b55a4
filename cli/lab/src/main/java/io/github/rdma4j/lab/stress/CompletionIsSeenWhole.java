// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.stress;

import io.github.rdma4j.verbs.WorkCompletion;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** The kernel writes a completion while a thread polls. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "polled before the completion")
@Outcome(id = "1, 77", expect = Expect.ACCEPTABLE, desc = "polled the completion")
@Outcome(expect = Expect.FORBIDDEN, desc = "saw the index before the entry")
@State
public class CompletionIsSeenWhole {
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
