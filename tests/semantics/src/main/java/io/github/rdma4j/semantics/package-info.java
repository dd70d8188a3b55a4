// SPDX-License-Identifier: Apache-2.0
/**
 * The kernel's connection manager, measured: one id in every situation it can be in, every command given to it there, and
 * what came of it. The tables recorded on several kernels are resources of this package; {@code docs/cm-semantics.md} is
 * made of them, and {@link io.github.rdma4j.cm.CmStateMachine} is compared with them.
 */
@NullMarked
package io.github.rdma4j.semantics;

import org.jspecify.annotations.NullMarked;
