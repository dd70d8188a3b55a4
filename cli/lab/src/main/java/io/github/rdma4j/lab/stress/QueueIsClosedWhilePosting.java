// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A thread posts to a queue pair that another thread closes: no exception but the refusal, and the close succeeds. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "posted before the close")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "refused, because it was closed")
@Outcome(expect = Expect.FORBIDDEN, desc = "not closed")
@State
public class QueueIsClosedWhilePosting {
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
