// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.stress;

import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.lab.instant.InstantKernel;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A thread uses a descriptor while another thread closes it. The second number tells whether it is open in the end. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "used, and closed after that")
@Outcome(id = "-1, 0", expect = Expect.ACCEPTABLE, desc = "refused, because it was being closed")
@Outcome(expect = Expect.FORBIDDEN, desc = "used after close(2), or left open")
@State
public class DescriptorIsClosed {
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
