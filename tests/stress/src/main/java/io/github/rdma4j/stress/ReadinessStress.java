// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.providers.instant.InstantKernel;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Races of two threads at a descriptor and at a readiness set. */
public final class ReadinessStress {
    private ReadinessStress() {}

    /**
     * A thread uses a descriptor while another thread closes it. The second number tells whether it is open in the end.
     */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "used, and closed after that")
    @Outcome(id = "-1, 0", expect = Expect.ACCEPTABLE, desc = "refused, because it was being closed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "used after close(2), or left open")
    @State
    public static class DescriptorIsClosed {
        private static final InstantKernel CALLS = new InstantKernel(1);
        private static final Kernel KERNEL = CALLS.kernel();

        private final int number = CALLS.eventfd();
        private final KernelFd fd = KernelFd.adopt(KERNEL, number, "descriptor");

        @Actor
        public void user(II_Result result) {
            try {
                result.r1 = fd.use(lent -> CALLS.isOpen(lent) ? 1 : 0);
            } catch (IllegalStateException closed) {
                result.r1 = -1;
            }
        }

        @Actor
        public void closer() {
            fd.close();
        }

        @Arbiter
        public void end(II_Result result) {
            result.r2 = CALLS.isOpen(number) ? 1 : 0;
        }
    }

    /**
     * A source gets an event that its descriptor does not tell of, while a thread asks the readiness set. The numbers:
     * how many sources this wait tells of, and the two after it.
     */
    @JCStressTest
    @Outcome(
            id = {"0, 1, 1", "1, 1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "the waits after it tell of the event")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the event was lost")
    @State
    public static class EventMeetsWait {
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

    /**
     * A source is added to a readiness set while another thread closes the set. The numbers: whether it was added, and
     * what is left of source and descriptor when the source is closed as well.
     */
    @JCStressTest
    @Outcome(
            id = {"1, 0, 0", "-1, 0, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "added before, or refused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the source or its descriptor is left")
    @State
    public static class SetIsClosedWhileSourceIsAdded {
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

    /**
     * A thread waits in a readiness set without events, and another closes the set. The numbers: -1 for the end of the
     * wait, and what is left of source and descriptor when the source is closed as well.
     */
    @JCStressTest
    @Outcome(id = "-1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the wait ended, and learned why")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the wait went on, or the source or its descriptor is left")
    @State
    public static class SetIsClosedWhileWaited {
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

    /**
     * A source is added to a readiness set while another thread closes it. The numbers: whether it was added, how many
     * sources the next wait tells of, what is left.
     */
    @JCStressTest
    @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "added, and the next wait tells that it is closed")
    @Outcome(id = "-1, 0, 0", expect = Expect.ACCEPTABLE, desc = "refused, because it was closed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "no wait tells of the closed source, or it is left")
    @State
    public static class SourceIsClosedWhileAdded {
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

    /**
     * A source is removed from a readiness set while another thread closes it. The numbers: whether it was in the set,
     * how many sources the next wait tells of, what is left.
     */
    @JCStressTest
    @Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "removed and closed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a later wait tells of the source that was removed, or it is left")
    @State
    public static class SourceIsClosedWhileRemoved {
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

    /**
     * A thread asks a readiness set while another closes the source in it. The numbers: how many sources this wait
     * tells of, how many the next, what is left.
     */
    @JCStressTest
    @Outcome(
            id = {"0, 1, 0", "1, 0, 0"},
            expect = Expect.ACCEPTABLE,
            desc = "one wait has told of it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "no wait has told of the closed source, or two have, or it is left")
    @State
    public static class SourceIsClosedWhileWaited {
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
}
