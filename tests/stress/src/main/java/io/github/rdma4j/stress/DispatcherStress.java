// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Races with the close of a completion dispatcher. */
public final class DispatcherStress {
    private DispatcherStress() {}

    /**
     * A thread posts through a dispatcher that another thread closes. The second number is how often the handler was
     * called.
     */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "posted, and flushed once")
    @Outcome(id = "-1, 0", expect = Expect.ACCEPTABLE, desc = "refused, because it was closed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a request without an end, or with two")
    @State
    public static class RequestMeetsClosingDispatcher {
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

    /** An action that waits for room in a full send queue, while another thread closes the dispatcher. */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the action ran once, and may learn of the close")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the action was lost, or ran twice")
    @State
    public static class WaiterMeetsClosingDispatcher {
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
}
