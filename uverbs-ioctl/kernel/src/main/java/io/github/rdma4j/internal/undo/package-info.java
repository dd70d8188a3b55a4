// SPDX-License-Identifier: Apache-2.0

/**
 * Handling of partial failures: undoing steps, collecting failures, loading classes in advance, and uninterruptible
 * waits.
 */
@NullMarked
package io.github.rdma4j.internal.undo;

import org.jspecify.annotations.NullMarked;
