// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import java.time.Duration;

/**
 * The times after which the run reports a failure. The limits are far above what an idle machine needs: a guest
 * without hardware virtualisation on a busy host is up to thirty times slower, and a wait ends as soon as its condition
 * holds.
 */
final class Limits {
    /** A small program such as rdma(8), which may share its processor with several starting JVMs. */
    static final Duration PROGRAM = Duration.ofMinutes(3);

    /** A JVM of a process, from its start to its first word. */
    static final Duration START = Duration.ofMinutes(10);

    /** A client, including the minute after which the kernel's CM gives up a silent peer. */
    static final Duration CLIENT = Duration.ofMinutes(4);

    /** All invariants after a fault: clients must be served again, and all must be as at the baseline. */
    static final Duration RECOVERY = Duration.ofMinutes(8);

    private Limits() {}
}
