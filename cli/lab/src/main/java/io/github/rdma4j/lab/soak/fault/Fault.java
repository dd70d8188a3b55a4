// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import java.util.Random;

/** A kind of fault. */
public interface Fault {
    /** What {@code --faults} calls it. */
    String name();

    /** What goes wrong, in a few words. */
    String description();

    /** False for what does not work with one guest, or with two. */
    default boolean isPossible(boolean twoNodes) {
        return true;
    }

    /** Chooses the details; nothing but the generator may decide them. */
    Injection plan(Random random);
}
