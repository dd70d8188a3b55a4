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
 * A source is added to a readiness set while another thread closes it. The numbers: whether it was added, how many sources the next
 * wait tells of, what is left.
 */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "added, and the next wait tells that it is closed")
@Outcome(id = "-1, 0, 0", expect = Expect.ACCEPTABLE, desc = "refused, because it was closed")
@Outcome(expect = Expect.FORBIDDEN, desc = "no wait tells of the closed source, or it is left")
@State
public class SourceIsClosedWhileAdded {
    private final Watched watched = Watched.apart();

    @Actor
    public void adder(III_Result result) {
        result.r1 = watched.add();
    }

    @Actor
    public void closer() {
        watched.closeSource();
    }

    @Arbiter
    public void end(III_Result result) {
        result.r2 = watched.ready();
        result.r3 = watched.size() + watched.isOpen();
        watched.closeSet();
    }
}
