// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** An action that waits for room in a full send queue, while another thread closes the dispatcher. */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the action ran once, and may learn of the close")
@Outcome(expect = Expect.FORBIDDEN, desc = "the action was lost, or ran twice")
@State
public class WaiterMeetsClosingDispatcher {
    private final Dispatched dispatched = Dispatched.full();

    @Actor
    public void waiter() {
        dispatched.waitForRoom();
    }

    @Actor
    public void closer() {
        dispatched.close();
    }

    @Arbiter
    public void end(I_Result result) {
        result.r1 = dispatched.actions();
    }
}
