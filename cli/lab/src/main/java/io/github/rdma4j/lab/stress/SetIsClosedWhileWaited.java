// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A thread waits in a readiness set without events, and another closes the set. The numbers: -1 for the end of the wait, and what is
 * left of source and descriptor when the source is closed as well.
 */
@JCStressTest
@Outcome(id = "-1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the wait ended, and learned why")
@Outcome(expect = Expect.FORBIDDEN, desc = "the wait went on, or the source or its descriptor is left")
@State
public class SetIsClosedWhileWaited {
    private final Watched watched = Watched.added();

    @Actor
    public void waiter(III_Result result) {
        result.r1 = watched.awaitReady();
    }

    @Actor
    public void closer() {
        watched.closeSet();
    }

    @Arbiter
    public void end(III_Result result) {
        watched.closeSource();
        result.r2 = watched.size();
        result.r3 = watched.isOpen();
    }
}
