// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import java.util.Random;
import java.util.function.Function;

/**
 * A kind of fault.
 *
 * @param name as {@code --faults} takes it
 * @param description what goes wrong, in a few words
 * @param needsTwoNodes true if the fault has no effect in a run of one guest
 * @param planner chooses the details; nothing but the generator may decide them
 */
record Fault(String name, String description, boolean needsTwoNodes, Function<Random, Injection> planner) {
    Fault(String name, String description, Function<Random, Injection> planner) {
        this(name, description, false, planner);
    }

    /**
     * A fault with its details.
     *
     * @param details the chosen details, in words
     * @param action injects the fault, and undoes what would not end by itself
     */
    record Injection(String details, Action action) {}

    /** Injects a fault. */
    @FunctionalInterface
    interface Action {
        /** Returns the outcome in a few words. */
        String run(Stage stage) throws SoakFailureException, InterruptedException;
    }

    /** Chooses the details. */
    Injection plan(Random random) {
        return planner.apply(random);
    }
}
