// SPDX-License-Identifier: Apache-2.0
/**
 * Experiments that check statements about the kernel's connection manager. Each statement has an experiment, a
 * prediction, and the observations on several kernels. The recorded observations are resources of this package.
 */
@NullMarked
package io.github.rdma4j.research.semantics.behaviour;

import org.jspecify.annotations.NullMarked;
