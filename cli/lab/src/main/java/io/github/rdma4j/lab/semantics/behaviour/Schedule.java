// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

/** How long an experiment takes and what it does to the others: where it can be run. */
public enum Schedule {
    /** Takes some seconds at most and disturbs no other experiment. */
    QUICK,
    /** Waits for a timer of the kernel, up to 100 s; all of these are run side by side. */
    SLOW,
    /** Removes the device, so it must run in a separate guest. */
    OWN_GUEST
}
