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
 * A thread asks a readiness set while another closes the source in it. The numbers: how many sources this wait tells of, how many the
 * next, what is left.
 */
@JCStressTest
@Outcome(
        id = {"0, 1, 0", "1, 0, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "one wait has told of it")
@Outcome(expect = Expect.FORBIDDEN, desc = "no wait has told of the closed source, or two have, or it is left")
@State
public class SourceIsClosedWhileWaited {
    private final Watched watched = Watched.added();

    @Actor
    public void waiter(III_Result result) {
        result.r1 = watched.ready();
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
