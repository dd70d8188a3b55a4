// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** Two threads post to a queue pair. The numbers are the producer index, and the sum of the ids of both work requests. */
@JCStressTest
@Outcome(id = "2, 3", expect = Expect.ACCEPTABLE, desc = "both requests are in the ring")
@Outcome(expect = Expect.FORBIDDEN, desc = "a request was lost or overwritten")
@State
public class TwoThreadsPost {
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
