// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

/** How long an experiment takes and what it does to the others: where it can be run. */
public enum Schedule {
    /** Seconds at most, and nobody is disturbed. */
    QUICK,
    /** Waits for a timer of the kernel, up to 100 s; all of these are run side by side. */
    SLOW,
    /** Takes the device away: only in a guest of its own. */
    OWN_GUEST
}
