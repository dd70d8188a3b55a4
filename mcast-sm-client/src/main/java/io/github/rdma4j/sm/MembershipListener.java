// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

/** Receives the events of the memberships of a {@link MembershipRegistry}. */
@FunctionalInterface
public interface MembershipListener {
    /**
     * Called in the thread that found out, one event at a time for each membership. It may use the registry. What it throws
     * goes to that thread's handler of uncaught exceptions. As long as it runs no other membership is checked.
     */
    void onEvent(MembershipEvent event);
}
