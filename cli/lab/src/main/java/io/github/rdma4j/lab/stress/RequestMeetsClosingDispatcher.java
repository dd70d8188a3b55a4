// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread posts through a dispatcher that another thread closes. The second number is how often the handler was called. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "posted, and flushed once")
@Outcome(id = "-1, 0", expect = Expect.ACCEPTABLE, desc = "refused, because it was closed")
@Outcome(expect = Expect.FORBIDDEN, desc = "a request without an end, or with two")
@State
public class RequestMeetsClosingDispatcher {
    private final Dispatched dispatched = Dispatched.make();

    @Actor
    public void poster(II_Result result) {
        result.r1 = dispatched.post() ? 1 : -1;
    }

    @Actor
    public void closer() {
        dispatched.close();
    }

    @Arbiter
    public void end(II_Result result) {
        result.r2 = dispatched.calls();
    }
}
