// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Pollable;
import java.time.Duration;

/** Whether something waits to be read from a descriptor, without reading it. */
public final class EventsWaiting {
    private EventsWaiting() {}

    /** Whether a read would find something now. */
    public static boolean now(Pollable pollable) {
        try {
            return KernelFd.of(pollable).awaitReadable(Deadline.after(Duration.ZERO));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
