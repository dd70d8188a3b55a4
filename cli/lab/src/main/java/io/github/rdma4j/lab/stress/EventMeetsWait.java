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
 * A source gets an event that its descriptor does not tell of, while a thread asks the readiness set. The numbers: how many sources
 * this wait tells of, and the two after it.
 */
@JCStressTest
@Outcome(
        id = {"0, 1, 1", "1, 1, 1"},
        expect = Expect.ACCEPTABLE,
        desc = "the waits after it tell of the event")
@Outcome(expect = Expect.FORBIDDEN, desc = "the event was lost")
@State
public class EventMeetsWait {
    private final Watched watched = Watched.added();

    @Actor
    public void waiter(III_Result result) {
        result.r1 = watched.ready();
    }

    @Actor
    public void teller() {
        watched.tell();
    }

    @Arbiter
    public void end(III_Result result) {
        result.r2 = watched.awaitReady();
        result.r3 = watched.ready();
        watched.closeSource();
        watched.closeSet();
    }
}
