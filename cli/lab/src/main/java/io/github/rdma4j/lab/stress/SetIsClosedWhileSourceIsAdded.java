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
 * A source is added to a readiness set while another thread closes the set. The numbers: whether it was added, and what is left of
 * source and descriptor when the source is closed as well.
 */
@JCStressTest
@Outcome(
        id = {"1, 0, 0", "-1, 0, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "added before, or refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "the source or its descriptor is left")
@State
public class SetIsClosedWhileSourceIsAdded {
    private final Watched watched = Watched.apart();

    @Actor
    public void adder(III_Result result) {
        result.r1 = watched.add();
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
