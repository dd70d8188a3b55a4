// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.raw;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Numbers for queue pairs that do not exist: the connection manager only wants them to differ. A request from a number that
 * the kernel has seen a short while ago counts as a stale connection, so that two processes in one guest start at different
 * numbers.
 */
public final class QpNumbers {
    private static final AtomicInteger LAST =
            new AtomicInteger(0x100000 + (int) (ProcessHandle.current().pid() % 512) * 4096);

    private QpNumbers() {}

    /** A number that was not returned before. */
    public static int next() {
        return LAST.incrementAndGet() & 0xffffff;
    }
}
