// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics.behaviour;

/** How prediction and observation compare. */
public enum Verdict {
    CONFIRMED,
    CONTRADICTED,
    /** Cannot be tried with soft-RoCE. */
    NOT_ON_SOFT_ROCE,
    /** A matter of the C library or of a port, not of the kernel. */
    C_LIBRARY,
    /** Has an experiment, which was not run on this kernel. */
    NOT_RECORDED
}
