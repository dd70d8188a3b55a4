// SPDX-License-Identifier: Apache-2.0
/**
 * The laboratory: programs that measure and study rdma4j and the kernel, from the source tree only. Each package is an
 * instrument.
 */
@NullMarked
package io.github.rdma4j.lab;

import org.jspecify.annotations.NullMarked;
