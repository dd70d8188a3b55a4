// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.fault;

import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;

/**
 * A fault with its details.
 *
 * @param details the chosen details, in words
 * @param action does it, and undoes what would not end by itself
 */
public record Injection(String details, Action action) {
    /** Does it. */
    @FunctionalInterface
    public interface Action {
        /** Returns what came of it, in a few words. */
        String run(Stage stage) throws SoakFailureException, InterruptedException;
    }
}
