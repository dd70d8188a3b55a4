// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments that check statements about the kernel's connection manager. Each statement has an experiment, a
 * prediction, and the observations on several kernels, which are in the tables.
 */
@NullMarked
package io.github.rdma4j.research.semantics.behaviour;

import org.jspecify.annotations.NullMarked;
