// SPDX-License-Identifier: Apache-2.0
/**
 * A study of what the kernel's connection manager does: {@code ./rdma4j semantics} records it, shows it and compares kernels.
 * {@code docs/cm-semantics.md} and the pages beside it are made of the recorded tables, and
 * {@link io.github.rdma4j.cm.CmStateMachine} is compared with them.
 */
@NullMarked
package io.github.rdma4j.semantics;

import org.jspecify.annotations.NullMarked;
