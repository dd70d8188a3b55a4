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
 * A source is removed from a readiness set while another thread closes it. The numbers: whether it was in the set, how many sources
 * the next wait tells of, what is left.
 */
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "removed and closed")
@Outcome(expect = Expect.FORBIDDEN, desc = "a later wait tells of the source that was removed, or it is left")
@State
public class SourceIsClosedWhileRemoved {
    private final Watched watched = Watched.added();

    @Actor
    public void remover(III_Result result) {
        result.r1 = watched.remove();
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
