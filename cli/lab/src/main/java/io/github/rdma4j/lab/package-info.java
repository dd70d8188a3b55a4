// SPDX-License-Identifier: Apache-2.0
/**
 * The laboratory: what measures and studies rdma4j and the kernel, from the source tree only. Each package is an instrument.
 */
@NullMarked
package io.github.rdma4j.lab;

import org.jspecify.annotations.NullMarked;
