// SPDX-License-Identifier: Apache-2.0
/**
 * What the kernel's connection manager is said to do, tried: an experiment for each sentence, the prediction, and what
 * several kernels did. The recorded observations are resources of this package.
 */
@NullMarked
package io.github.rdma4j.semantics.behaviour;

import org.jspecify.annotations.NullMarked;
