// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

/** The steps of an experiment; each step reports its result to the trial. */
@FunctionalInterface
public interface Experiment {
    void run(Trial trial) throws Exception;
}
