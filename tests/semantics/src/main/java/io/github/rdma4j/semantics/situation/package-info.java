// SPDX-License-Identifier: Apache-2.0
/**
 * An id in every situation that it can be in, every command given to it there, and what came of it: a cell of the table for
 * each situation and command.
 */
@NullMarked
package io.github.rdma4j.semantics.situation;

import org.jspecify.annotations.NullMarked;
