// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

/** What is done to the kernel, step by step; each step says to the trial what came of it. */
@FunctionalInterface
public interface Experiment {
    void run(Trial trial) throws Exception;
}
