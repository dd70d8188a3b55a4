// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much the calling thread has allocated on the heap so far, as HotSpot counts it. */
final class Allocations {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocations() {}

    static long ofThisThread() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
