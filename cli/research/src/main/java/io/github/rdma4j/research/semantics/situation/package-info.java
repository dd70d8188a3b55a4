// SPDX-License-Identifier: Apache-2.0
/**
 * Brings an id into every possible situation, sends every command, and records the result: the table has one cell for
 * each situation and command.
 */
@NullMarked
package io.github.rdma4j.research.semantics.situation;

import org.jspecify.annotations.NullMarked;
